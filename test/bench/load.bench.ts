import { readFile } from 'node:fs/promises';
import { Pool } from 'undici';
import { random } from '../support/random';
import { createFork, startService, type TestService } from '../support/service';

/*
 * Measures many clients on more forks than there are engines: errors, waiting times, and memory growth.
 *
 *     npm run bench -- load
 */

const CLIENTS = 100;
const FORKS = 20;
const ENGINES = 8;
/** Seconds until engines, caches and heap have reached their final size. */
const WARM_UP_SECONDS = 40;
const SECONDS = 120;
const AIMS = { errors: 0, p99: 10, memory: 1.1 };
const SOMEBODY = `0x${'a1'.repeat(20)}`;
const ELSEBODY = `0x${'b0'.repeat(20)}`;

interface Call {
  method: string;
  params: readonly unknown[];
  /** Percent. */
  share: number;
}

const CALLS: readonly Call[] = [
  { method: 'eth_blockNumber', params: [], share: 35 },
  { method: 'eth_getBalance', params: [SOMEBODY, 'latest'], share: 35 },
  { method: 'eth_call', params: [{ to: ELSEBODY }, 'latest'], share: 25 },
  {
    method: 'eth_sendTransaction',
    params: [{ from: SOMEBODY, to: ELSEBODY, value: '0x1' }],
    share: 5,
  },
];

interface Measured {
  /** Milliseconds, by method. */
  times: Map<string, number[]>;
  errors: Map<string, number>;
}

/** Private memory of a process in bytes, from /proc (Linux). */
async function privateBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kibibytes = [...text.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB$/gm)];
  return kibibytes.reduce((sum, [, value]) => sum + Number(value) * 1024, 0);
}

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? NaN;

async function ask(pool: Pool, path: string, { method, params }: Call): Promise<void> {
  const { body } = await pool.request({
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { error } = (await body.json()) as { error?: { code: number; message: string } };
  if (error) throw new Error(`${error.code} ${error.message}`);
}

/** Sends one request after the other until the time is over. */
async function client(
  pool: Pool,
  path: string,
  below: (limit: number) => number,
  { times, errors }: Measured,
  end: number,
): Promise<void> {
  while (performance.now() < end) {
    let place = below(100);
    const call = CALLS.find(({ share }) => (place -= share) < 0)!;
    const start = performance.now();
    try {
      await ask(pool, path, call);
    } catch (error) {
      const { message } = error as Error;
      errors.set(message, (errors.get(message) ?? 0) + 1);
    }
    const took = performance.now() - start;
    const all = times.get(call.method);
    if (all) all.push(took);
    else times.set(call.method, [took]);
  }
}

async function load(pool: Pool, paths: readonly string[], seconds: number): Promise<Measured> {
  const measured: Measured = { times: new Map(), errors: new Map() };
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: CLIENTS }, (_, i) =>
      client(pool, paths[i % FORKS]!, random(i), measured, end),
    ),
  );
  return measured;
}

async function measure(service: TestService): Promise<{ measured: Measured; memory: number[] }> {
  const paths: string[] = [];
  for (let i = 0; i < FORKS; i++) {
    const { rpc } = await createFork(service, { chainId: 31337, name: `load ${i}` });
    paths.push(new URL(rpc).pathname);
  }
  const pool = new Pool(service.url, { connections: CLIENTS, bodyTimeout: 0, headersTimeout: 0 });
  const fund = { method: 'anvil_setBalance', params: [SOMEBODY, '0xde0b6b3a7640000'], share: 0 };
  for (const path of paths) await ask(pool, path, fund);
  await load(pool, paths, WARM_UP_SECONDS);
  const memory: number[] = [];
  const sampling = setInterval(() => {
    void privateBytes(service.child.pid!).then((bytes) => memory.push(bytes));
  }, 500);
  const measured = await load(pool, paths, SECONDS);
  clearInterval(sampling);
  await pool.close();
  return { measured, memory };
}

const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

function print({ times, errors }: Measured, memory: readonly number[]): void {
  const all = [...times.values()].flat();
  console.log('| requests | number | p50 ms | p90 ms | p99 ms | longest ms |');
  console.log('| --- | --: | --: | --: | --: | --: |');
  for (const [method, values] of [...times, ['all', all] as const]) {
    const figures = [0.5, 0.9, 0.99, 1].map((share) => ms(quantile(values, share)));
    console.log(`| ${method} | ${values.length} | ${figures.join(' | ')} |`);
  }
  for (const [message, count] of errors) console.log(`${count} × ${message}`);
  const quarter = Math.floor(memory.length / 4);
  const [second, last] = [1, 3].map((n) =>
    quantile(memory.slice(n * quarter, (n + 1) * quarter), 0.5),
  );
  const failed = [...errors.values()].reduce((sum, count) => sum + count, 0);
  // One spread per kind of request: a transaction that is written to disk and a read of a number are not comparable.
  const spreads = [...times.values()].map((ms) => quantile(ms, 0.99) / quantile(ms, 0.5));
  const growth = last! / second!;
  console.log('\n| | measured | aim | holds |\n| --- | --: | --: | --- |');
  const row = (name: string, value: number, aim: number, digits: number): void => {
    console.log(`| ${name} | ${value.toFixed(digits)} | ${aim} | ${value <= aim ? 'yes' : 'no'} |`);
    if (!(value <= aim)) process.exitCode = 1;
  };
  row('errors', failed, AIMS.errors, 0);
  row('p99 / p50, of the kind with the largest', Math.max(...spreads), AIMS.p99, 1);
  row('memory of the last quarter / of the second', growth, AIMS.memory, 2);
  console.log(`\nMemory of the service in the last quarter: ${(last! / 2 ** 20).toFixed(0)} MiB`);
}

async function main(): Promise<void> {
  const service = await startService({
    args: ['--sandbox', '--log-level', 'warn'],
    config: { engine: { maxRunning: ENGINES } },
  });
  try {
    const { measured, memory } = await measure(service);
    console.log(`${CLIENTS} clients, ${FORKS} forks, ${ENGINES} engines, ${SECONDS} s:\n`);
    print(measured, memory);
  } finally {
    await service.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
