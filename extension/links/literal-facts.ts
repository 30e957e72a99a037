import * as l10n from '@vscode/l10n';
import type { Fork } from '../../server/api/fork';
import type { AddressFacts, FoundTransaction } from '../../server/api/lookup';
import type { Address, Hash } from '../../server/api/primitives';
import type { CommandContext } from '../model/command-context';
import { SANDBOX } from '../model/sandbox';
import { listAllForks } from '../ui/pickers';
import { LastNetwork } from '../transactions/network-picks';

/** Facts about an address, with the chain or fork that provided them. */
export interface LocatedAddress extends AddressFacts {
  /** Display name of the chain or fork. */
  place: string;
}

/** Looks up literals in the running service. Of the upstream nodes, only those of the last chosen chain are queried. */
export class LiteralFacts {
  readonly #last: LastNetwork;

  constructor(private readonly context: Pick<CommandContext, 'client' | 'service' | 'memento'>) {
    this.#last = new LastNetwork(context.memento);
  }

  /** Searches the running forks, the sandbox and the last chosen chain. */
  async placesOf(transaction: Hash, signal: AbortSignal): Promise<FoundTransaction[]> {
    if (this.context.service.state.kind !== 'running') return [];
    const { client } = this.context;
    try {
      const known = (await client.call('listChains', {}, { signal })).map(({ slug }) => slug);
      const chains = [SANDBOX, this.#last.get()].filter((slug) => known.includes(slug ?? ''));
      const query = { chains: [...new Set(chains)].join(',') };
      const request = { params: { transaction }, query };
      return (await client.call('findTransaction', request, { signal })).places;
    } catch {
      return []; // the card then shows less
    }
  }

  /** Queries the last chosen fork, otherwise the newest running fork, otherwise the last chosen chain. */
  async addressFacts(address: Address, signal: AbortSignal): Promise<LocatedAddress | undefined> {
    if (this.context.service.state.kind !== 'running') return undefined;
    const { client } = this.context;
    try {
      const fork = await this.#selectedFork(signal);
      const chain = fork?.forkId ?? this.#last.get();
      // A sleeping fork must not be woken.
      if (chain === undefined || (fork === undefined && chain.startsWith('fork_')))
        return undefined;
      const params = { chain, address };
      const facts = await client.call('getAddress', { params }, { signal });
      return { ...facts, place: fork === undefined ? chain : l10n.t('fork {0}', fork.name) };
    } catch {
      return undefined;
    }
  }

  async #selectedFork(signal: AbortSignal): Promise<Fork | undefined> {
    const forks = (await listAllForks(this.context.client, signal))
      .map(({ fork }) => fork)
      .filter(({ state }) => state === 'running');
    const last = this.#last.get();
    const selected = forks.find(({ forkId }) => forkId === last);
    if (selected !== undefined || (last !== undefined && !last.startsWith('fork_'))) {
      return selected;
    }
    return forks.toSorted((a, b) => a.createTime.localeCompare(b.createTime)).at(-1);
  }
}
