import { ApiError, shown, transactionNotFound } from '../../api/errors';
import type { Hash } from '../../api/primitives';
import { RpcError } from '../../evm/forms/json-rpc';
import type { RpcBlockHeader, RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import type { MinedTransaction, Network } from '../ports';
import { withOperatorFee } from './operator-fee';
import { readMined } from './read-mined';

/** A transaction that is in a block. */
export type IncludedTransaction = RpcTransaction & { blockHash: Hash };

/** @throws ApiError `transactionNotFound`, `transactionPending`, or an error of the network's node */
export async function fetchIncludedTransaction(
  network: Network,
  hash: Hash,
  signal?: AbortSignal,
): Promise<IncludedTransaction> {
  const transaction = (await answered(
    network,
    network.rpc.request('eth_getTransactionByHash', [hash], { signal }),
  )) as { [Name in keyof RpcTransaction]?: unknown } | null;
  if (transaction === null) throw transactionNotFound(hash, network.key);
  const { hash: returnedHash, blockHash = null, blockNumber = null } = transaction;
  if (typeof returnedHash !== 'string' || returnedHash.toLowerCase() !== hash) {
    throw new ApiError(
      'upstreamLacksData',
      `the node of ${network.key} returned transaction ${shown(returnedHash)} for ${hash}`,
    );
  }
  if (blockHash === null || blockNumber === null) {
    throw new ApiError(
      'transactionPending',
      `transaction ${hash} is not in a block of ${network.key} yet`,
    );
  }
  return transaction as IncludedTransaction;
}

/** Loads receipt and block of a transaction. @throws ApiError `upstreamLacksData`, or an error of the network's node */
export async function loadMined(
  network: Network,
  transaction: IncludedTransaction,
  signal: AbortSignal,
): Promise<MinedTransaction> {
  const [receipt, block] = await Promise.all(
    (
      await network.rpc.requestAll(
        [
          { method: 'eth_getTransactionReceipt', params: [transaction.hash] },
          { method: 'eth_getBlockByHash', params: [transaction.blockHash, false] },
        ],
        { signal },
      )
    ).map((outcome) =>
      answered(
        network,
        outcome.status === 'fulfilled'
          ? Promise.resolve(outcome.value)
          : Promise.reject(outcome.reason as Error),
      ),
    ),
  );
  const mined = readMined(network, {
    transaction,
    receipt: present(
      receipt,
      `the receipt of transaction ${transaction.hash}`,
      network,
    ) as RpcReceipt,
    block: present(block, `block ${transaction.blockHash}`, network) as RpcBlockHeader,
  });
  return withOperatorFee(network, mined, signal);
}

function present(value: unknown, what: string, network: Network): unknown {
  if (value !== null && value !== undefined) return value;
  throw new ApiError('upstreamLacksData', `the node of ${network.key} does not have ${what}`);
}

/** Treats a JSON-RPC error of the node as missing data. */
async function answered(network: Network, answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw new ApiError(
      'upstreamLacksData',
      `the node of ${network.key} answered with an error: ${error.message}`,
      { cause: error },
    );
  }
}
