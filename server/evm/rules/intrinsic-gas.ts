import { isSince, type ExecutedHardfork } from '../forms/hardfork-order';
import type { RpcTransaction } from '../forms/types';

/** Gas of a transaction before its first instruction, and the minimum of its total gas. */
export interface IntrinsicGas {
  readonly intrinsic: number;
  /** EIP-7623; undefined before this rule. */
  readonly floor?: number;
  /** Refunds are at most the gas used divided by this: 2, and 5 since London (EIP-3529). */
  readonly refundDivisor: 2 | 5;
  /** EIP-8037: state is paid for when it is created, so that authorizations earn no refund and a failure leaves the gas for state. */
  readonly hasStateGas?: true;
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

/** Amsterdam: EIP-2780, 7976, 7981, 8037 and 8038. */
const AMSTERDAM = {
  base: 12_000,
  creation: 12_000,
  recipient: 3_000,
  value: 6_000,
  accessListAddress: 2_900,
  accessListKey: 2_000,
  authorization: 7_816,
  floorPerToken: 16,
  tokensPerByte: 4,
};

type PricedTransaction = Pick<
  RpcTransaction,
  'from' | 'to' | 'value' | 'input' | 'type' | 'accessList' | 'authorizationList'
>;

/**
 * Intrinsic gas by the yellow paper (6.2) and later EIPs.
 * @returns undefined for other chains' transaction types, which have rules of their own
 */
export function intrinsicGas(
  transaction: PricedTransaction,
  hardfork: ExecutedHardfork,
): IntrinsicGas | undefined {
  if (Number(transaction.type ?? '0x0') > NEWEST_KNOWN_TYPE) return undefined;
  if (isSince(hardfork, 'amsterdam')) return intrinsicOfAmsterdam(transaction);
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

/** What depends on the state, such as the gas of a new account, is a part of the execution. */
function intrinsicOfAmsterdam(transaction: PricedTransaction): IntrinsicGas {
  const { from, to, value, input, accessList = [], authorizationList = [] } = transaction;
  const { zeros, others } = countBytes(input);
  const bytes = zeros + others;
  const keys = accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);
  const listTokens = (accessList.length * 20 + keys * 32) * AMSTERDAM.tokensPerByte;
  const isOwn = to?.toLowerCase() === from.toLowerCase();
  let base = AMSTERDAM.base;
  if (to === null) base += AMSTERDAM.creation;
  else if (!isOwn) base += AMSTERDAM.recipient + (BigInt(value) > 0n ? AMSTERDAM.value : 0);
  const initCode = to === null ? Math.ceil(bytes / 32) * INIT_CODE_WORD : 0;
  const access =
    accessList.length * AMSTERDAM.accessListAddress +
    keys * AMSTERDAM.accessListKey +
    listTokens * AMSTERDAM.floorPerToken;
  const authorizations = authorizationList.length * AMSTERDAM.authorization;
  const tokens = bytes * AMSTERDAM.tokensPerByte + listTokens;
  return {
    intrinsic: base + zeros * ZERO_BYTE + others * 16 + initCode + access + authorizations,
    floor: base + tokens * AMSTERDAM.floorPerToken,
    refundDivisor: 5,
    hasStateGas: true,
  };
}

function countBytes(data: string): { zeros: number; others: number } {
  let zeros = 0;
  const length = (data.length - 2) / 2;
  for (let at = 2; at < data.length; at += 2) if (data.startsWith('00', at)) zeros++;
  return { zeros, others: length - zeros };
}
