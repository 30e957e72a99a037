import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sandboxHash } from '../support/sandbox-hashes';
import { startService, type TestService } from '../support/service';

/*
 * Measures what the command line adds to the service: `--version`, and `tx` with an analysis that the service has cached. They take turns
 * with a bare start of Node and with the same requests from this process.
 *
 *     npm run bench -- cli
 */

const ROUNDS = 20;
const PROGRAM = join(__dirname, '../../dist/cli.js');
const SWAP = sandboxHash('swap-two-hops');
const PATH = `/v1/explorer/sandbox/transaction/${SWAP}`;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function node(...args: string[]): Promise<void> {
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${args.join(' ')} ended with code ${String(code)}`);
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;

function report(what: string, times: readonly number[]): void {
  const [p50, least] = [median(times), Math.min(...times)].map((time) => time.toFixed(0));
  console.log(`${what.padEnd(48)} p50 ${p50!.padStart(5)} ms  least ${least!.padStart(5)} ms`);
}

async function compare(service: TestService): Promise<void> {
  const request = async (): Promise<void> => {
    const views = ['invocation-flow', 'balance-change'];
    await Promise.all(views.map((view) => service.request('GET', `${PATH}/${view}`)));
  };
  const tx = [PROGRAM, 'tx', 'sandbox', SWAP, '--data-dir', service.dataDir];
  const runs: [string, () => Promise<void>][] = [
    ['node alone', () => node('--eval', '0')],
    ['forklens --version', () => node(PROGRAM, '--version')],
    ['the requests of tx, answered by the service', request],
    ['forklens tx', () => node(...tx)],
  ];
  await request();
  const times = runs.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, [, run]] of runs.entries()) times[index]!.push(await timed(run));
  }
  for (const [index, [what]] of runs.entries()) report(what, times[index]!);
  const [bare, , answered, whole] = times.map(median) as [number, number, number, number];
  console.log(`tx over the service: ${(whole - answered).toFixed(0)} ms (aim: 150)`);
  console.log(`tx over the service and Node: ${(whole - answered - bare).toFixed(0)} ms`);
}

void startService({ args: ['--sandbox'] }).then(async (service) => {
  await compare(service).finally(() => service.stop());
});
