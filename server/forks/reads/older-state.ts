import { STATE_BLOCK_PARAMETER } from '../../ethereum/block-parameters';
import type { RpcCall, RpcClient } from '../../ethereum/json-rpc';
import { SerialQueue } from '../../serial-queue';
import { headOf } from './block-numbers';
import type { RunningFork } from './running-fork';

/** As an engine has them: more than most nodes. */
const BLOCK_PARAMETER: Readonly<Record<string, number>> = {
  ...STATE_BLOCK_PARAMETER,
  eth_getAccountInfo: 1,
  debug_traceCall: 1,
};
const HEAD: ReadonlySet<unknown> = new Set([undefined, null, 'latest', 'pending']);

/** Undefined where a call reads the newest state, or none. */
export function namedBlock({ method, params }: RpcCall): unknown {
  const place = Object.hasOwn(BLOCK_PARAMETER, method) ? BLOCK_PARAMETER[method] : undefined;
  const block = place === undefined ? undefined : params[place];
  return HEAD.has(block) ? undefined : block;
}

/** Whether a call may read the state behind a block of the fork's own that is not its newest. */
function isOlder(fork: RunningFork, call: RpcCall): boolean {
  // It is executed again on the state in front of it.
  if (call.method === 'debug_traceTransaction') return true;
  const block = namedBlock(call);
  if (typeof block !== 'string' || !/^0x[0-9a-f]{1,16}$/i.test(block)) return block !== undefined;
  return Number(block) >= fork.forkBlock && Number(block) < headOf(fork);
}

const queues = new WeakMap<RpcClient, SerialQueue>();

/**
 * Runs what reads older state of an engine's own one after another. Side by side, two such requests stop anvil 1.5.1 for good: the
 * second one waits for the first to end, on the thread that should fetch state for it. In one batch they may stand together.
 */
export function readInTurn<T>(
  fork: RunningFork,
  calls: readonly RpcCall[],
  read: () => Promise<T>,
): Promise<T> {
  if (!calls.some((call) => isOlder(fork, call))) return read();
  let queue = queues.get(fork.engine);
  if (!queue) queues.set(fork.engine, (queue = new SerialQueue()));
  return queue.add(read);
}
