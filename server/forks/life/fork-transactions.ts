import type { ForkTransaction, ForkTransactions } from '../../api/fork';
import { requestEach, type RpcClient } from '../../evm/forms/json-rpc';
import { toDecimal } from '../../evm/forms/quantity';
import type { RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import type { ForkBlock } from '../writes/engine-blocks';

interface TransactionPosition {
  block: ForkBlock;
  index: number;
  hash: string;
}

/**
 * A page of the transactions made on a fork, newest first.
 * @param cursor `block-index` of the last transaction on the page before
 */
export async function forkTransactions(
  engine: RpcClient,
  blocks: readonly ForkBlock[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<ForkTransactions> {
  const all = blocks.flatMap((block): TransactionPosition[] =>
    block.transactions.map((hash, index) => ({ block, index, hash })),
  );
  const open = all
    .filter((candidate) => cursor === undefined || isBefore(candidate, cursor))
    .reverse();
  const page = open.slice(0, limit);
  const last = page.at(-1);
  return {
    total: all.length,
    transactions: await describe(engine, page),
    nextCursor: last && open.length > page.length ? `${last.block.number}-${last.index}` : null,
  };
}

function isBefore({ block, index }: TransactionPosition, cursor: string): boolean {
  const [number = 0, position = 0] = cursor.split('-').map(Number);
  return block.number < number || (block.number === number && index < position);
}

async function describe(
  engine: RpcClient,
  positions: readonly TransactionPosition[],
): Promise<ForkTransaction[]> {
  const ask = (method: string): Promise<unknown[]> =>
    requestEach(
      engine,
      positions.map(({ hash }) => ({ method, params: [hash] })),
    );
  const [transactions, receipts] = await Promise.all([
    ask('eth_getTransactionByHash') as Promise<(RpcTransaction | null)[]>,
    ask('eth_getTransactionReceipt') as Promise<(RpcReceipt | null)[]>,
  ]);
  return positions.flatMap(({ block, index, hash }, i) => {
    const transaction = transactions[i];
    const receipt = receipts[i];
    // A concurrent revert may have removed the transaction.
    if (!transaction || !receipt) return [];
    const { from, to, value, input } = transaction;
    return {
      hash,
      blockNumber: block.number,
      transactionIndex: index,
      timestamp: block.timestamp,
      from,
      to,
      value: toDecimal(BigInt(value)),
      selector: to !== null && input.length >= 10 ? input.slice(0, 10) : '',
      method: '',
      status: receipt.status === '0x1',
      gasUsed: Number(receipt.gasUsed),
      ...replayWarning(transaction),
    };
  });
}

/** EIP-7702: an authorization for chain id 0 is valid on every chain, whatever the chain id of its transaction. */
function replayWarning({ authorizationList = [] }: RpcTransaction): { warning?: string } {
  const everywhere = authorizationList.filter(({ chainId }) => BigInt(chainId) === 0n);
  if (everywhere.length === 0) return {};
  const addresses = everywhere.map(({ address }) => address).join(', ');
  return {
    warning: `its authorization of ${addresses} is signed for chain id 0: anyone can use it on the real chain as well`,
  };
}
