import { id } from 'ethers';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toQuantity } from '../../server/evm/forms/quantity';
import { readBuiltPlan } from '../../server/chains/sandbox/built-plan';
import { CALL_TRACER } from '../../server/execution/tracing/debug-api';
import { call } from '../support/json-rpc';
import { createFork, startService, type TestService } from '../support/service';

/*
 * Measures the waiting time of a user at the start of the service: the ready line, and the first analysis. The first start after an
 * installation finds no compiled code next to the bundle. The service writes it a few seconds after that start.
 *
 *     npm run bench -- start
 */

const ROUNDS = 5;
/** 2^13 - 1 calls of the sandbox's Fractal contract, as in the benchmark `analysis`. */
const LEVELS = 13;
/** Unmeasured and measured rounds of a warm service. */
const [WARM_UP, WARM_ROUNDS] = [15, 5];
const SENDER = `0x${'5e'.repeat(20)}`;
const DIST = join(__dirname, '../../dist');

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
const ms = (value: number): string => `${value.toFixed(0)} ms`;

async function timed<T>(work: () => Promise<T>): Promise<{ took: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { took: performance.now() - start, result };
}

const cacheFiles = async (): Promise<string[]> =>
  (await readdir(DIST)).filter((name) => name.endsWith('.cache'));

async function forgetCode(): Promise<void> {
  for (const name of await cacheFiles()) await rm(join(DIST, name));
}

/** Runs a service until it has written its compiled code. */
async function keepCode(...args: string[]): Promise<void> {
  const service = await startService({ args });
  while ((await cacheFiles()).length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  await service.stop();
}

async function toReady(...args: string[]): Promise<number> {
  const { took, result } = await timed(() => startService({ args }));
  await result.stop();
  return took;
}

async function starts(): Promise<void> {
  const rows: Record<string, object> = {};
  for (const args of [[], ['--sandbox']]) {
    await forgetCode();
    const first = await toReady(...args);
    await forgetCode();
    await keepCode(...args);
    const later: number[] = [];
    for (let round = 0; round < ROUNDS; round++) later.push(await toReady(...args));
    rows[args.length === 0 ? 'service (aim 500 ms)' : 'service and sandbox (aim 1500 ms)'] = {
      'first start': ms(first),
      'later ones, median': ms(median(later)),
    };
  }
  console.log('\nFrom the start of the process to the ready line:');
  console.table(rows);
}

interface FractalFork {
  /** Sends a transaction with many calls. @returns its hash */
  grow(): Promise<string>;
  /** Requests the analysis. @returns its JSON text */
  analyze(hash: string): Promise<string>;
  /** Requests the engine's own trace. */
  trace(hash: string): Promise<unknown>;
}

async function forkSandbox(service: TestService): Promise<FractalFork> {
  const { forkId, rpc } = await createFork(service, { chainId: 31337 });
  const { labels = {} } = readBuiltPlan() ?? {};
  const [fractal] = Object.entries(labels).find(([, label]) => label === 'Fractal') ?? [];
  await call(rpc, 'anvil_setBalance', SENDER, toQuantity(10n ** 20n));
  const word = (value: number): string => value.toString(16).padStart(64, '0');
  const data = `${id('grow(uint256,uint256)').slice(0, 10)}${word(LEVELS)}${word(1)}`;
  return {
    grow: () =>
      call(rpc, 'eth_sendTransaction', {
        from: SENDER,
        to: fractal,
        data,
        gas: toQuantity(29_000_000),
      }),
    analyze: async (hash) => {
      const path = `/v1/explorer/${forkId}/transaction/${hash}/invocation-flow`;
      const response = await fetch(service.url + path, { headers: { 'Access-Key': service.key } });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      return text;
    },
    trace: (hash) => call<unknown>(rpc, 'debug_traceTransaction', hash, CALL_TRACER),
  };
}

/** Each round starts a service. */
async function firstAnalyses(): Promise<void> {
  const firsts: number[] = [];
  const warm: number[] = [];
  const own: number[] = [];
  let size = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const service = await startService({ args: ['--sandbox'] });
    const fork = await forkSandbox(service);
    const hash = await fork.grow();
    const first = await timed(() => fork.analyze(hash));
    firsts.push(first.took);
    size = first.result.length;
    for (let i = 0; i < WARM_UP + WARM_ROUNDS; i++) {
      const next = await fork.grow();
      if (i >= WARM_UP) own.push((await timed(() => fork.trace(next))).took);
      const { took } = await timed(() => fork.analyze(next));
      if (i >= WARM_UP) warm.push(took);
    }
    await service.stop();
  }
  const trace = median(own);
  const row = (took: number): object => ({
    took: ms(took),
    'without the trace, in traces': ((took - trace) / trace).toFixed(2),
  });
  console.log(`\nAn analysis of ${2 ** LEVELS - 1} calls, ${(size / 1e6).toFixed(1)} MB of JSON:`);
  console.table({
    "the engine's own trace": { took: ms(trace) },
    'first analysis of a service (aim 1.5)': row(median(firsts)),
    'of a service at work': row(median(warm)),
  });
}

async function main(): Promise<void> {
  await starts();
  await firstAnalyses();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
