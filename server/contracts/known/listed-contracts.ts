import {
  unlistedName,
  type AbiSource,
  type Contract,
  type Identification,
  type IdentifyRequest,
  type Network,
} from '../../analysis/ports';
import type { Address } from '../../api/primitives';
import type { KnownContracts } from './known-contracts';

/**
 * Marks contracts whose name imitates a well-known contract or token at another address: anyone may verify a source under any name. The
 * implementation of a listed contract may have its name, and a user may give any.
 */
export class ListedContracts implements AbiSource {
  constructor(
    private readonly sources: AbiSource,
    private readonly known: Pick<KnownContracts, 'imitatedContract' | 'isListed'>,
  ) {}

  async identify(
    network: Network,
    request: IdentifyRequest,
    signal: AbortSignal,
  ): Promise<Identification> {
    const found = await this.sources.identify(network, request, signal);
    const contracts = new Map(found.contracts);
    const own = await this.#targetsOfListed(network, contracts);
    for (const [address, contract] of contracts) {
      const { name, isNameGiven } = contract;
      if (name === undefined || isNameGiven || own.has(address)) continue;
      const imitated = await this.known.imitatedContract(network, address, name);
      if (imitated !== undefined) contracts.set(address, { ...contract, name: unlistedName(name) });
    }
    return { ...found, contracts };
  }

  async #targetsOfListed(
    network: Network,
    contracts: ReadonlyMap<Address, Contract>,
  ): Promise<ReadonlySet<Address>> {
    const targets = new Set<Address>();
    for (const [address, { implementation, facets = [] }] of contracts) {
      const all = implementation === undefined ? facets : [implementation, ...facets];
      if (all.length === 0 || !(await this.known.isListed(network, address))) continue;
      for (const target of all) targets.add(target);
    }
    return targets;
  }
}
