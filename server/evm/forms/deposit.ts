import type { RpcTransaction } from './types';

/** OP Stack: type of a deposit from the parent chain. It is unsigned, pays no fee, and may mint ether. */
const DEPOSIT = '0x7e';
/** Arbitrum: type of a deposit of ether, whose value is minted, and of a submission of a retryable ticket, which mints `depositValue`. */
const ARBITRUM_DEPOSIT = '0x64';
const ARBITRUM_SUBMISSION = '0x69';

export const isDeposit = ({ type }: RpcTransaction): boolean => type === DEPOSIT;

/** Wei that a deposit mints for its sender before its execution, kept even if it fails; 0 for all other transactions. */
export function mintOf(transaction: RpcTransaction): bigint {
  switch (transaction.type) {
    case DEPOSIT:
      return BigInt(transaction.mint ?? '0x0');
    case ARBITRUM_DEPOSIT:
      return BigInt(transaction.value);
    case ARBITRUM_SUBMISSION: {
      const { depositValue } = transaction as { depositValue?: unknown };
      return isQuantity(depositValue) ? BigInt(depositValue) : 0n;
    }
    default:
      return 0n;
  }
}

const isQuantity = (value: unknown): value is string =>
  typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value);
