import type { RpcCall } from '../../ethereum/json-rpc';
import { toQuantity } from '../../ethereum/quantity';
import type { RunningFork } from './running-fork';

/** Methods whose fourth parameter overrides the block, with the block that they take where none is named. */
const DEFAULT_BLOCK: Readonly<Record<string, string>> = {
  eth_call: 'latest',
  eth_estimateGas: 'pending',
};

/** Whether a call is executed on the block that comes next. */
export function isOnNextBlock({ method, params }: RpcCall): boolean {
  if (!Object.hasOwn(DEFAULT_BLOCK, method)) return false;
  return (params[1] ?? DEFAULT_BLOCK[method]) === 'pending';
}

/**
 * Executes a call on the next block at the time that the fork would give it. The engine's own pending block has the time of the newest
 * block within the same second: an estimate would be too low for a contract that does more work when time has passed.
 */
export function callOnNextBlock(
  { engine, node }: RunningFork,
  { method, params }: RpcCall,
): Promise<unknown> {
  const [call, , state = null, given] = params;
  const isGiven = given !== undefined && given !== null;
  if (isGiven && (typeof given !== 'object' || Array.isArray(given) || 'time' in given)) {
    return engine.request(method, params);
  }
  const block = { ...given, time: toQuantity(node.nextTime) };
  return engine.request(method, [call, 'pending', state, block]);
}
