import { invalidParams, type RpcCall } from '../../ethereum/json-rpc';
import type { ForkClock } from './fork-clock';

/** 9999-12-31T23:59:59Z in Unix seconds. The engine ends at a block of a far later time. */
const MAX_TIMESTAMP = 253_402_300_799;

/** @returns the time @throws RpcError -32602 for one that no block of a fork may have */
export function blockTime(timestamp: number): number {
  if (timestamp <= MAX_TIMESTAMP) return timestamp;
  throw invalidParams('the time of the block', timestamp, `up to ${MAX_TIMESTAMP} (year 9999)`);
}

/** @throws RpcError -32602 where the clock would be moved to such a time */
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
