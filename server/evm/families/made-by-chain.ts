import { isDeposit } from '../forms/deposit';
import type { RpcBlockHeader, RpcTransaction } from '../forms/types';

/** Arbitrum: deposit, unsigned, contract, retry, submission of a retryable ticket, start of a block. */
const ARBITRUM_TYPES: ReadonlySet<number> = new Set([0x64, 0x65, 0x66, 0x68, 0x69, 0x6a]);
/** Polygon: state sync (PIP-74). */
const POLYGON_STATE_SYNC = 0x7f;
/** Gas that a user's transaction needs at least. */
const LEAST_GAS = 21_000n;
/** Ethereum's newest type (EIP-7702). */
const NEWEST_TYPE = 4;
const ONLY_ITS_NODE = "only the chain's own node can execute it";

/**
 * Why an engine cannot execute a transaction: the chain itself made it, such as a system transaction, or its type is not Ethereum's, such as
 * those of Celo (0x7b, 0x7c) and Tempo (0x76). Executed in another form, it would pay another fee or do something else.
 * @returns undefined for Ethereum's types and for deposits of the OP Stack
 */
export function notExecutable(
  transaction: RpcTransaction,
  header: Pick<RpcBlockHeader, 'gasLimit'>,
): string | undefined {
  if (isDeposit(transaction)) return undefined;
  const type = Number(transaction.type ?? '0x0');
  const made = madeByChain(transaction, header);
  if (made !== undefined || type <= NEWEST_TYPE) return made;
  return `transactions of type 0x${type.toString(16)} are executed by the chain's own node only, and their analysis needs its debug API`;
}

function madeByChain(
  { type = '0x0', gas, gasPrice = '0x0' }: RpcTransaction,
  { gasLimit }: Pick<RpcBlockHeader, 'gasLimit'>,
): string | undefined {
  const number = Number(type);
  const made = `it was made by the chain itself (type 0x${number.toString(16)})`;
  if (ARBITRUM_TYPES.has(number))
    return `${made}: ArbOS is not executed here, and ${ONLY_ITS_NODE}`;
  const isStateSync = number === POLYGON_STATE_SYNC || BigInt(gas) === 0n;
  // System transactions of BNB Smart Chain have no price and more gas than a block.
  const isSystem =
    BigInt(gasPrice) === 0n && (BigInt(gas) > BigInt(gasLimit) || BigInt(gas) < LEAST_GAS);
  return isStateSync || isSystem ? `${made}, and ${ONLY_ITS_NODE}` : undefined;
}
