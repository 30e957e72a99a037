import { anvilOutOfRange } from '../../evm/forms/endpoint-errors';
import { RpcError } from '../../evm/forms/json-rpc';
import { LIMITS } from '../../api/limits';
import { headOf } from './block-numbers';
import type { RunningFork } from './running-fork';

/** Whether a read failed for lack of a state that a new engine would have; see `ForkNode.mayLackStates`. */
export function isLostState(fork: RunningFork, error: unknown): boolean {
  const block = error instanceof RpcError ? anvilOutOfRange(error.message)?.wanted : undefined;
  if (block === undefined || !fork.writer.mayLackStates) return false;
  const head = headOf(fork);
  return block >= fork.forkBlock && block < head && head - block < LIMITS.keptStates;
}
