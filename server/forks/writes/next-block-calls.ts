import type { RpcCall, RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';

/** Methods whose fourth parameter overrides the block, with their default block. */
const DEFAULT_BLOCK: Readonly<Record<string, string>> = {
  eth_call: 'latest',
  eth_estimateGas: 'pending',
};

/** Whether a call is executed on the pending block. */
export function isOnNextBlock({ method, params }: RpcCall): boolean {
  if (!Object.hasOwn(DEFAULT_BLOCK, method)) return false;
  return (params[1] ?? DEFAULT_BLOCK[method]) === 'pending';
}

/**
 * Executes a call on the next block, at the time that the fork would give it. Within the same second, the engine's own pending block has
 * the time of the newest block. An estimate would then be too low for a contract that does more work when time has passed.
 * @param time time of the next block, Unix seconds
 */
export function callOnNextBlock(
  engine: RpcClient,
  { method, params }: RpcCall,
  time: number,
): Promise<unknown> {
  const [call, , state = null, given] = params;
  const isGiven = given !== undefined && given !== null;
  if (isGiven && (typeof given !== 'object' || Array.isArray(given) || 'time' in given)) {
    return engine.request(method, params);
  }
  const block = { ...given, time: toQuantity(time) };
  return engine.request(method, [call, 'pending', state, block]);
}

/**
 * Adds estimated gas to a transaction without a gas limit. The journal stores it, so that the transaction is the same when it is executed
 * again. If the estimate fails, the transaction is not changed, and the engine reports the reason when it gets it.
 * @param time time of the next block, Unix seconds
 */
export async function withGas(engine: RpcClient, send: RpcCall, time: number): Promise<RpcCall> {
  const [transaction, ...rest] = send.params;
  if (typeof transaction !== 'object' || transaction === null) return send;
  if ('gas' in transaction && transaction.gas !== undefined && transaction.gas !== null)
    return send;
  const estimate = { method: 'eth_estimateGas', params: [transaction, 'pending'] };
  const gas = await callOnNextBlock(engine, estimate, time).catch(() => undefined);
  if (gas === undefined) return send;
  return { method: send.method, params: [{ ...transaction, gas }, ...rest] };
}
