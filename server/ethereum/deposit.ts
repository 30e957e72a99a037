import type { RpcTransaction } from './types';

/** OP Stack: a message from the layer below. It is unsigned, pays no fee, and may create ether. */
const DEPOSIT = '0x7e';

export const isDeposit = ({ type }: RpcTransaction): boolean => type === DEPOSIT;

/** Wei that a deposit creates for its sender before it is executed, and that stay where it fails; 0 for all other transactions. */
export const mintOf = (transaction: RpcTransaction): bigint =>
  isDeposit(transaction) ? BigInt(transaction.mint ?? '0x0') : 0n;
