import type { Address } from '../api/primitives';
import type { Handlers } from './context';
import type { AddressService, BlockExplorerService, DataDecoderService } from './services';

type ExplorerHandlers = Pick<
  Handlers,
  | 'getChainHealth'
  | 'listBlocks'
  | 'listBlockTransactions'
  | 'listAddressTransactions'
  | 'getTokenBalances'
  | 'resolveName'
  | 'listStory'
  | 'findActivity'
  | 'decodeData'
>;

/** Handlers of the operations that walk a chain, and that decode data. */
export function explorerHandlers({
  addresses,
  explorer,
  decoder,
}: {
  addresses: AddressService;
  explorer: BlockExplorerService;
  decoder: DataDecoderService;
}): ExplorerHandlers {
  return {
    getChainHealth: async ({ params: { chain } }, context) => {
      return explorer.health(chain, context.signal);
    },
    listBlocks: async ({ params: { chain }, query }, context) => {
      return explorer.blocks(chain, query, context.signal);
    },
    listBlockTransactions: async ({ params: { chain, block }, query }, context) => {
      const { user, signal } = context;
      return explorer.transactions(chain, block, query, user.userId, signal);
    },
    listAddressTransactions: async ({ params: { chain, address }, query }, context) => {
      const { user, signal } = context;
      return explorer.addressTransactions(chain, address, query, user.userId, signal);
    },
    getTokenBalances: ({ params: { chain, address }, query: { tokens = '' } }, { signal }) => {
      const given = tokens === '' ? [] : (tokens.toLowerCase().split(',') as Address[]);
      return addresses.balancesOf(chain, address, given, signal);
    },
    resolveName: async ({ params: { chain, name } }, context) => {
      return explorer.addressOfName(chain, name, context.signal);
    },
    listStory: ({ params: { chain } }) => Promise.resolve([...explorer.story(chain)]),
    findActivity: async ({ params: { chain }, body }, context) => {
      const { user, signal } = context;
      return explorer.activity(chain, body, user.userId, signal);
    },
    decodeData: async ({ body: { data, at } }, context) => {
      const { user, signal } = context;
      return decoder.decode(data, at, user.userId, signal);
    },
  };
}
