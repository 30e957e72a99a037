import type { Fork } from '../api/fork';
import type { Caller } from '../projects/access-keys';
import type { Projects } from '../projects/projects';
import type { Handlers } from './context';
import type {
  AddressService,
  AddressSourceService,
  BlockDirectory,
  ChainDirectory,
  ForkService,
  TransactionSearchService,
} from './services';

type LookupHandlers = Pick<
  Handlers,
  'findTransaction' | 'getAddress' | 'getAddressSource' | 'listChains' | 'findBlock'
>;

export interface LookupServices {
  projects: Projects;
  forks: ForkService;
  chains: ChainDirectory;
  blocks: BlockDirectory;
  search: TransactionSearchService;
  addresses: AddressService;
  addressSources: AddressSourceService;
}

/** Handlers of the operations that find chains, blocks, transactions and addresses. */
export function lookupHandlers({
  projects,
  forks,
  chains,
  blocks,
  search,
  addresses,
  addressSources,
}: LookupServices): LookupHandlers {
  /** Only running forks: a search must not wake the others. */
  const runningForks = async ({ user }: Caller): Promise<Fork[]> => {
    const lists = (await projects.list(user.userId)).map(({ projectId }) => forks.list(projectId));
    return (await Promise.all(lists)).flat().filter(({ state }) => state === 'running');
  };

  return {
    findTransaction: async ({ params, query }, context) => {
      const slugs = query.chains?.split(',').filter((slug) => slug !== '');
      const running = await runningForks(context);
      return search.find(params.transaction, running, slugs, context.signal);
    },
    getAddress: async ({ params: { chain, address } }, context) => {
      const { user, signal } = context;
      return addresses.factsOf(chain, address, user.userId, signal);
    },
    getAddressSource: async ({ params: { chain, address }, query }, context) => {
      const { user, signal } = context;
      const wanted = { chain, address, height: query.block ?? 'latest', file: query.file };
      return addressSources.at(wanted, user.userId, signal);
    },
    listChains: () => Promise.resolve(chains.list()),
    findBlock: ({ params: { chain }, query: { at } }, { signal }) =>
      blocks.find(chain, at, { signal }),
  };
}
