import type { RpcTransaction } from './types';

/** OP Stack: type of a deposit from the parent chain. It is unsigned, pays no fee, and may mint ether. */
const DEPOSIT = '0x7e';

export const isDeposit = ({ type }: RpcTransaction): boolean => type === DEPOSIT;

/** Wei that a deposit mints for its sender before its execution, kept even if it fails; 0 for all other transactions. */
export const mintOf = (transaction: RpcTransaction): bigint =>
  isDeposit(transaction) ? BigInt(transaction.mint ?? '0x0') : 0n;
