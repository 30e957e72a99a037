import type { MinedTransaction, Network } from '../../analysis/ports';
import { ApiError } from '../../api/errors';
import type { RpcBlock } from '../../evm/forms/types';
import { notExecutable } from '../../evm/families/made-by-chain';
import { fetchBlock } from '../prefix/upstream-block';

/** @throws ApiError `upstreamLacksData` if the block was replaced on the chain */
export async function fetchBlockOf(
  { rpc, chainId }: Network,
  mined: MinedTransaction,
  signal: AbortSignal,
): Promise<RpcBlock> {
  return blockOf(mined, await fetchBlock(rpc, Number(mined.block.number), { signal, chainId }));
}

/** @param fetched the block of this number @throws as `fetchBlockOf` */
export function blockOf(mined: MinedTransaction, fetched: RpcBlock | null): RpcBlock {
  if (fetched?.hash !== mined.block.hash) throw lacksData(mined, 'its block was replaced');
  return fetched;
}

/** @throws ApiError `upstreamLacksData` if only the chain's own node executes the transaction */
export function requireExecutableForm(mined: MinedTransaction): void {
  const reason = notExecutable(mined.transaction, mined.block);
  if (reason !== undefined) throw lacksData(mined, reason);
}

export const lacksData = (
  { transaction }: MinedTransaction,
  why: string,
  cause?: unknown,
): ApiError =>
  new ApiError(
    'upstreamLacksData',
    `transaction ${transaction.hash} cannot be executed again: ${why}`,
    { cause },
  );
