import { readFile } from 'node:fs/promises';
import { Interface } from 'ethers';
import type { RecordedStep, Recording } from '../../server/api/recording';
import type { RpcTransaction } from '../../server/evm/forms/types';
import { assemble } from '../fidelity/assembler';
import { call } from '../support/json-rpc';
import { childrenOf } from '../support/processes';
import { sandboxHash } from '../support/sandbox-hashes';
import { compileTestContracts } from '../support/sandbox';
import { createFork, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

/*
 * Measures recordings of a fork's transactions: 22 swaps of the sandbox in one call, about 100,000 steps, and a loop of 1,000,000 steps that
 * writes memory. Cold is the first answer of a service that has just started, whose fork sleeps. The peer is
 * the list of steps with their stacks of the fork's engine (struct logs), which a debugger would read instead.
 *
 *     npm run bench -- debugger
 */

const SWAPS = 22;
const ROUNDS = 5;
const STATES = 300;
const LOOP = `0x${'1b'.repeat(20)}`;
/** 14 instructions a round. */
const LOOP_CODE = assemble(
  '71428 :loop 1 swap1 sub dup1 dup1 31 and 32 mul mstore dup1 @loop jumpi stop',
);
const ROUTER = new Interface(['function multicall(bytes[])']);
const SWAP = new Interface([
  'function swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
]);
const TOKEN = new Interface(['function approve(address,uint256)']);
const STRUCT_LOGS = { disableStorage: true, disableMemory: true, enableMemory: false };

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? NaN;
const median = (values: readonly number[]): number => quantile(values, 0.5);
const ms = (value: number): string => value.toFixed(value < 100 ? 1 : 0);

async function timed<T>(work: () => Promise<T>): Promise<{ took: number; value: T }> {
  const started = performance.now();
  const value = await work();
  return { took: performance.now() - started, value };
}

async function get<T>(service: TestService, path: string): Promise<T> {
  const { message, data } = await service.request<T>('GET', path);
  if (message !== 'OK') throw new Error(message);
  return data;
}

/** Largest resident memory of a process so far, in MB (Linux). */
async function peak(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid ?? 0}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

/** The processes that a process started. */
const below = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => [child, ...below(child)]);

async function main(): Promise<void> {
  await compileTestContracts();
  const dataDir = await makeTemporaryDirectory();
  let service = await startService({ args: ['--sandbox'], dataDir });
  try {
    const fork = await createFork(service, { chainId: 31337 });
    const swap = await call<RpcTransaction>(
      fork.rpc,
      'eth_getTransactionByHash',
      sandboxHash('swap-two-hops'),
    );
    const { from, to, input } = swap;
    const [, , ...rest] = SWAP.decodeFunctionData(
      'swapExactTokensForTokens',
      input,
    ).toArray() as unknown[];
    const small = SWAP.encodeFunctionData('swapExactTokensForTokens', [10n ** 15n, 0, ...rest]);
    const data = ROUTER.encodeFunctionData('multicall', [
      Array.from({ length: SWAPS }, () => small),
    ]);
    const gas = '0xf00000';
    const [token] = rest[0] as string[];
    const approve = TOKEN.encodeFunctionData('approve', [to, 10n ** 30n]);
    await call(fork.rpc, 'eth_sendTransaction', { from, to: token, data: approve });
    const swaps = await call(fork.rpc, 'eth_sendTransaction', { from, to, data, gas });
    await call(fork.rpc, 'anvil_setCode', LOOP, LOOP_CODE);
    const loop = await call(fork.rpc, 'eth_sendTransaction', { from, to: LOOP, gas });
    const path = (hash: string): string =>
      `/v1/explorer/${fork.forkId}/transaction/${hash}/recording`;

    const cold: number[] = [];
    const again: number[] = [];
    let recording: Recording | undefined;
    for (let round = 0; round < ROUNDS; round++) {
      await service.stop();
      service = await startService({ args: ['--sandbox'], dataDir });
      const first = await timed(() => get<Recording>(service, path(swaps)));
      recording = first.value;
      cold.push(first.took);
      again.push((await timed(() => get<Recording>(service, path(swaps)))).took);
    }
    const { steps = 0, verification } = recording ?? {};
    const states: number[] = [];
    for (let i = 0; i < STATES; i++) {
      const step = (i * 7_919 * 13) % steps;
      states.push(
        (await timed(() => get<RecordedStep>(service, `${path(swaps)}/step/${step}`))).took,
      );
    }
    const logs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const request = [{ from, to, data, gas }, 'latest', STRUCT_LOGS];
      logs.push((await timed(() => call(fork.rpc, 'debug_traceCall', ...request))).took);
    }
    console.log(`${steps} steps, verified by ${verification?.level}`);
    console.table({
      'ready, cold service': {
        'median, ms': ms(median(cold)),
        'longest, ms': ms(Math.max(...cold)),
      },
      'ready, recorded': { 'median, ms': ms(median(again)), 'longest, ms': ms(Math.max(...again)) },
      'state of a step': {
        'median, ms': ms(median(states)),
        'p95, ms': ms(quantile(states, 0.95)),
      },
      'struct logs of anvil': { 'median, ms': ms(median(logs)) },
    });

    const long = await timed(() => get<Recording>(service, path(loop)));
    const far: number[] = [];
    for (let i = 0; i < STATES; i++) {
      const step = (i * 7_919 * 131) % long.value.steps;
      far.push((await timed(() => get<RecordedStep>(service, `${path(loop)}/step/${step}`))).took);
    }
    const engines = await Promise.all(below(service.child.pid ?? 0).map(peak));
    console.log(`${long.value.steps} steps, verified by ${long.value.verification.level}`);
    console.table({
      'ready, ms': ms(long.took),
      'state of a step, p95, ms': ms(quantile(far, 0.95)),
      'peak of the service, MB': Math.round(await peak(service.child.pid)),
      'peak of its engines, MB': Math.round(engines.reduce((sum, one) => sum + one, 0)),
    });
  } finally {
    await service.stop();
    await removeDirectory(dataDir);
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
