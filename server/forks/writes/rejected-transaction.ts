import { requestEach, type RpcClient, type RpcError } from '../../evm/forms/json-rpc';
import type { RpcBlockHeader, RpcTransaction } from '../../evm/forms/types';
import { checkFunds } from './executable';
import type { OpStackFees } from './op-stack-fees';
import { inBundle, rejected } from './transaction-pool';

const UNKNOWN =
  'its nonce, the funds of its sender, or the remaining gas of the block do not allow it';

/**
 * The reason that the newest block does not contain a transaction sent with it.
 * @param index position of the transaction in its bundle of `count`
 */
export async function rejectedTransaction(
  engine: RpcClient,
  transaction: RpcTransaction | undefined,
  { index, count, fees }: { index: number; count: number; fees?: OpStackFees | undefined },
): Promise<RpcError> {
  const reason = transaction && (await reasonOf(engine, transaction, fees));
  const refusal = rejected(
    reason ?? `it cannot be executed after the earlier transactions: ${UNKNOWN}`,
  );
  return inBundle(refusal, index, count) as RpcError;
}

/** The reasons begin with go-ethereum's messages, which clients recognize. */
async function reasonOf(
  engine: RpcClient,
  transaction: RpcTransaction,
  fees: OpStackFees | undefined,
): Promise<string | undefined> {
  const { from, nonce, gas } = transaction;
  const [count, balance, block] = (await requestEach(engine, [
    { method: 'eth_getTransactionCount', params: [from, 'latest'] },
    { method: 'eth_getBalance', params: [from, 'latest'] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
  ])) as [string, string, RpcBlockHeader];
  if (BigInt(nonce) > BigInt(count)) {
    return `nonce too high: nonce is ${BigInt(nonce)}, the next one of ${from} is ${BigInt(count)}`;
  }
  try {
    checkFunds(transaction, balance, await fees?.inAdvance(transaction));
  } catch (error) {
    return (error as RpcError).message;
  }
  const left = BigInt(block.gasLimit) - BigInt(block.gasUsed);
  if (BigInt(gas) <= left) return undefined;
  return `gas limit reached: gas is ${BigInt(gas)}, the earlier transactions leave ${left} in the block`;
}
