import type { ChainRegistry } from '../chains/registry/chain-registry';
import type { AnswerFiles } from '../store/cache/answer-files';

/** Whether the cache has blocks of a chain with this id. */
export async function hasBlocks(
  chains: ChainRegistry,
  files: AnswerFiles | undefined,
  chainId: number,
): Promise<boolean> {
  if (!files) return false;
  const slugs = chains.list().flatMap((chain) => (chain.chainId === chainId ? chain.slug : []));
  const found = await Promise.all(slugs.map((slug) => files.has(slug)));
  return found.includes(true);
}
