import { invalidParams, type RpcCall } from '../../evm/forms/json-rpc';
import { LIMITS } from '../../api/limits';
import type { ForkClock } from './fork-clock';

/** @returns the time @throws RpcError -32602 for a time that is not allowed for blocks of a fork */
export function blockTime(timestamp: number): number {
  if (timestamp <= LIMITS.blockTime) return timestamp;
  throw invalidParams('the time of the block', timestamp, `up to ${LIMITS.blockTime} (year 9999)`);
}

/** @throws RpcError -32602 if the clock would be set to such a time */
export function checkClockChange({ method, params }: RpcCall, clock: ForkClock): void {
  const value = Number(params[0]);
  if (method === 'evm_increaseTime') blockTime(clock.next() + value);
  else if (CLOCK_METHODS.has(method)) blockTime(value);
}

const CLOCK_METHODS = new Set([
  'evm_setNextBlockTimestamp',
  'evm_setTime',
  'anvil_setBlockTimestampInterval',
]);
