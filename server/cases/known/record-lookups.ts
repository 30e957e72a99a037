import type { LabelSource, Network, PriceSource } from '../../analysis/ports';
import type { Address } from '../../api/primitives';
import type { GivenInterfaces } from '../../contracts/abi/sources';
import type { Known } from './known-schema';
import type { Lookups } from './lookups';
import { RecordedContracts } from './record-contracts';
import { RecordedSources } from './record-sources';

/** The chain that a recording is about, and the name under which it is recorded. */
export interface Subject {
  readonly slug: string;
  /** The slug, or the id of a fork of the chain. */
  readonly key: string;
  readonly recordedAs: string;
}

/** Look-ups that take down what they found. */
export class RecordedLookups {
  readonly #contracts = new RecordedContracts();
  readonly #sources = new RecordedSources();
  readonly #prices = new Map<string, Known['prices'][number]>();
  readonly #userLabels = new Map<Address, string>();
  readonly lookups: Lookups;

  /** @param kept numbers of the sources of signatures that are part of the program, and so need not be taken down */
  constructor(
    private readonly own: Lookups,
    { slug, key, recordedAs }: Subject,
    kept: ReadonlySet<number>,
  ) {
    const original = (name: string): string => (name === recordedAs ? slug : name);
    const originals = (names: readonly string[]): string[] => [
      ...new Set(names.flatMap((name) => (name === recordedAs ? [key, slug] : name))),
    ];
    const asSubject = (network: Network): Network => ({
      ...network,
      key: network.key === recordedAs ? key : network.key,
      ...(network.chain === undefined ? {} : { chain: original(network.chain) }),
    });
    this.lookups = {
      contracts: own.contracts.map((source) => this.#contracts.contractSource(source, asSubject)),
      signatures: own.signatures.map((source, list) =>
        kept.has(list) ? source : this.#contracts.signatureSource(source, list),
      ),
      findCreation: this.#contracts.creationSource(own.findCreation),
      finders: own.finders.map((finder) => this.#sources.finder(finder, asSubject)),
      given: this.#given(originals),
      userLabels: this.#labels(originals),
      labels: own.labels,
      prices: this.#priceSource(asSubject),
      isPrivate: (network) => own.isPrivate(asSubject(network)),
    };
  }

  /** @param occurs whether an address occurs in what is recorded: names of others are left out */
  async known(occurs: (address: Address) => boolean): Promise<Known> {
    const occurring = ([address]: readonly [string, unknown]): boolean =>
      occurs(address as Address);
    const { contracts, given, creations } = this.#contracts;
    return {
      contracts,
      given: Object.fromEntries(Object.entries(given).filter(occurring)),
      creations,
      signatures: this.#contracts.signatures(),
      ...(await this.#sources.list()),
      prices: [...this.#prices.values()],
      labels: {
        configured: Object.fromEntries(Object.entries(this.own.labels).filter(occurring)),
        user: Object.fromEntries([...this.#userLabels].filter(occurring)),
      },
    };
  }

  #given(originals: (names: readonly string[]) => string[]): GivenInterfaces {
    return {
      givenBy: async (user, chains, addresses) => {
        const found = await this.own.given.givenBy(user, originals(chains), addresses);
        this.#contracts.noteGiven(found);
        return found;
      },
    };
  }

  #labels(originals: (names: readonly string[]) => string[]): LabelSource {
    return {
      labelsOf: async (user, chains) => {
        const found = await this.own.userLabels.labelsOf(user, originals(chains));
        for (const [address, name] of Object.entries(found)) {
          this.#userLabels.set(address as Address, name);
        }
        return found;
      },
    };
  }

  #priceSource(asSubject: (network: Network) => Network): PriceSource {
    return {
      pricesAt: async (network, assets, block, signal) => {
        const found = await this.own.prices.pricesAt(asSubject(network), assets, block, signal);
        for (const [asset, { value, ...rest }] of found) {
          const { timestamp } = block;
          this.#prices.set(`${timestamp} ${asset}`, {
            asset,
            timestamp,
            value: `${value}`,
            ...rest,
          });
        }
        return found;
      },
    };
  }
}
