import type { Hardfork } from '../api/config';
import { isSince } from './hardfork-order';
import type { RpcTransaction } from '../ethereum/types';

/** Gas of a transaction before its first instruction, and the minimum of its total gas. */
export interface IntrinsicGas {
  readonly intrinsic: number;
  /** EIP-7623; undefined before this rule. */
  readonly floor?: number;
  /** Refunds are at most the gas used divided by this: 2, and 5 since London (EIP-3529). */
  readonly refundDivisor: 2 | 5;
}

const BASE = 21_000;
const CREATION = 32_000; // EIP-2
const ZERO_BYTE = 4;
const ACCESS_LIST_ADDRESS = 2_400; // EIP-2930
const ACCESS_LIST_KEY = 1_900;
const INIT_CODE_WORD = 2; // EIP-3860
const AUTHORIZATION = 25_000; // EIP-7702
const FLOOR_PER_TOKEN = 10; // EIP-7623
const NEWEST_KNOWN_TYPE = 4;

/**
 * Intrinsic gas by the yellow paper (6.2) and later EIPs.
 * @returns undefined for other chains' transaction types, which have rules of their own
 */
export function intrinsicGas(
  transaction: Pick<RpcTransaction, 'to' | 'input' | 'type' | 'accessList' | 'authorizationList'>,
  hardfork: Hardfork,
): IntrinsicGas | undefined {
  if (Number(transaction.type ?? '0x0') > NEWEST_KNOWN_TYPE) return undefined;
  const { zeros, others } = countBytes(transaction.input);
  const accessList = transaction.accessList ?? [];
  const keys = accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);
  let gas = BASE + zeros * ZERO_BYTE + others * (isSince(hardfork, 'istanbul') ? 16 : 68); // EIP-2028
  if (transaction.to === null && isSince(hardfork, 'homestead')) gas += CREATION;
  if (transaction.to === null && isSince(hardfork, 'shanghai')) {
    gas += Math.ceil((zeros + others) / 32) * INIT_CODE_WORD;
  }
  gas += accessList.length * ACCESS_LIST_ADDRESS + keys * ACCESS_LIST_KEY;
  gas += (transaction.authorizationList?.length ?? 0) * AUTHORIZATION;
  const refundDivisor = isSince(hardfork, 'london') ? 5 : 2;
  if (!isSince(hardfork, 'prague')) return { intrinsic: gas, refundDivisor };
  const floor = BASE + (zeros + others * 4) * FLOOR_PER_TOKEN;
  return { intrinsic: gas, floor, refundDivisor };
}

function countBytes(data: string): { zeros: number; others: number } {
  let zeros = 0;
  const length = (data.length - 2) / 2;
  for (let at = 2; at < data.length; at += 2) if (data.startsWith('00', at)) zeros++;
  return { zeros, others: length - zeros };
}
