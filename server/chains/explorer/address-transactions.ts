import type { AddressTransactions, MethodName } from '../../api/chain-explorer';
import type { Network } from '../../analysis/ports';
import type { Address, Hex } from '../../api/primitives';
import { RpcError } from '../../evm/forms/json-rpc';
import type { RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import { labelsAmong, selectorsOf, transactionOf } from './listed-transaction';

type Mined = RpcTransaction & { readonly blockNumber: Hex; readonly transactionIndex: Hex };

interface FoundPage {
  readonly txs: readonly Mined[];
  readonly receipts: readonly (RpcReceipt | null)[];
  /** Whether older ones are left. */
  readonly hasOlder: boolean;
}

/**
 * Transactions that touch an address, newest first, by the index of nodes of the Otterscan API. A page holds all transactions of its last
 * block.
 * @param page `head` is the number of the newest block
 * @returns `isIndexed` false where the node has no index
 * @throws ApiError `upstreamUnreachable`, `timedOut`
 */
export async function transactionsOfAddress(
  { rpc, nativeSymbol, labels = {} }: Network,
  address: Address,
  { head, before, limit }: { head: number; before?: number | undefined; limit: number },
  methodNames: (selectors: ReadonlySet<Hex>) => Promise<ReadonlyMap<Hex, MethodName>>,
  signal: AbortSignal,
): Promise<AddressTransactions> {
  let page: FoundPage | undefined;
  try {
    // Nodes take 0 for the newest block, and anvil looks for each block below the number, also for those above its head.
    const below = before === undefined ? 0 : Math.min(Math.max(before, 1), head + 1);
    const params = [address, below, limit];
    page = pageOf(await rpc.request('ots_searchTransactionsBefore', params, { signal }));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
  }
  if (!page) return { isIndexed: false, nativeSymbol, labels: {}, transactions: [], next: null };
  const { txs, receipts, hasOlder } = page;
  const methods = await methodNames(selectorsOf(txs));
  const transactions = txs.map((one, index) => ({
    ...transactionOf(one, Number(one.transactionIndex), receipts[index] ?? undefined, methods),
    blockNumber: Number(one.blockNumber),
  }));
  const oldest = transactions.at(-1)?.blockNumber;
  return {
    isIndexed: true,
    nativeSymbol,
    labels: labelsAmong(labels, transactions),
    transactions,
    next: hasOlder && oldest !== undefined && oldest > 0 ? oldest : null,
  };
}

/** @returns undefined for an answer of another form */
function pageOf(answer: unknown): FoundPage | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { txs, receipts, lastPage } = answer as Record<string, unknown>;
  if (!Array.isArray(txs) || !Array.isArray(receipts)) return undefined;
  const found = (txs as Mined[]).every(({ hash, from, input, blockNumber }) =>
    [hash, from, input, blockNumber].every((value) => /^0x[0-9a-fA-F]*$/.test(value)),
  );
  // The last page by the node is the one with the oldest transactions.
  return found
    ? { txs: txs as Mined[], receipts: receipts as RpcReceipt[], hasOlder: lastPage !== true }
    : undefined;
}
