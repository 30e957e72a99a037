import type { Caller } from '../projects/access-keys';
import type { Handlers } from './context';
import type { BlockExplorerService, DataDecoderService } from './services';

type ExplorerHandlers = Pick<
  Handlers,
  | 'getChainHealth'
  | 'listBlocks'
  | 'listBlockTransactions'
  | 'listAddressTransactions'
  | 'resolveName'
  | 'listStory'
  | 'decodeData'
>;

/**
 * Handlers of the operations that walk a chain, and that decode data.
 * @param requireChain rejects chains and forks that the caller must not see
 */
export function explorerHandlers(
  { explorer, decoder }: { explorer: BlockExplorerService; decoder: DataDecoderService },
  requireChain: (chain: string, caller: Caller) => Promise<void>,
): ExplorerHandlers {
  return {
    getChainHealth: async ({ params: { chain } }, context) => {
      await requireChain(chain, context);
      return explorer.health(chain, context.signal);
    },
    listBlocks: async ({ params: { chain }, query }, context) => {
      await requireChain(chain, context);
      return explorer.blocks(chain, query, context.signal);
    },
    listBlockTransactions: async ({ params: { chain, block }, query }, context) => {
      await requireChain(chain, context);
      const { user, signal } = context;
      return explorer.transactions(chain, block, query, user.userId, signal);
    },
    listAddressTransactions: async ({ params: { chain, address }, query }, context) => {
      await requireChain(chain, context);
      const { user, signal } = context;
      return explorer.addressTransactions(chain, address, query, user.userId, signal);
    },
    resolveName: async ({ params: { chain, name } }, context) => {
      await requireChain(chain, context);
      return explorer.addressOfName(chain, name, context.signal);
    },
    listStory: async ({ params: { chain } }, context) => {
      await requireChain(chain, context);
      return [...explorer.story(chain)];
    },
    decodeData: async ({ body: { data, at } }, context) => {
      if (at !== undefined) await requireChain(at.chain, context);
      const { user, signal } = context;
      return decoder.decode(data, at, user.userId, signal);
    },
  };
}
