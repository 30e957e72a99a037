import type { Hash } from '../../api/primitives';
import type { RpcCallOptions, RpcClient } from './json-rpc';
import type { RpcBlockHeader } from './types';

/** A block with the hashes of its transactions. */
export type BlockWithHashes = RpcBlockHeader & { transactions: readonly Hash[] };

/**
 * Returns null if the node lacks the block. Some nodes report a missing block as an error instead.
 * @param block number as a quantity, or a tag
 * @throws RpcError, ApiError
 */
export const blockWithHashes = async (
  rpc: RpcClient,
  block: string,
  options?: RpcCallOptions,
): Promise<BlockWithHashes | null> =>
  (await rpc.request('eth_getBlockByNumber', [block, false], options)) as BlockWithHashes | null;

/** The newest block of an engine, which always has one. @throws RpcError, ApiError */
export async function headOfEngine(
  engine: RpcClient,
  options?: RpcCallOptions,
): Promise<BlockWithHashes> {
  const head = await blockWithHashes(engine, 'latest', options);
  if (head === null) throw new Error('an engine has no newest block');
  return head;
}
