import { RpcError } from '../../evm/forms/json-rpc';
import { LIMITS } from '../../api/limits';
import { headOf } from './block-numbers';
import type { RunningFork } from './running-fork';

/** The engine's error for a block whose state it does not have. */
const OUT_OF_RANGE = /block height is \d+ but requested was (\d+)/;

/** Whether a read failed for lack of a state that a new engine would have; see `ForkNode.mayLackStates`. */
export function isLostState(fork: RunningFork, error: unknown): boolean {
  const requested = error instanceof RpcError ? OUT_OF_RANGE.exec(error.message)?.[1] : undefined;
  if (requested === undefined || !fork.writer.mayLackStates) return false;
  const block = Number(requested);
  const head = headOf(fork);
  return block >= fork.forkBlock && block < head && head - block < LIMITS.keptStates;
}
