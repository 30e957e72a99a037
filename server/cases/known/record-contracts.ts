import type { ContractSource, KnownContract, SignatureSource } from '../../contracts/abi/sources';
import type { CreationCode, Network } from '../../analysis/ports';
import type { ContractInterface } from '../../analysis/contract-interface';
import type { AbiItem } from '../../api/abi';
import type { Hex } from '../../api/primitives';
import type { Known } from './known-schema';
import { hashOf, placeOf } from './lookups';

type Contract = Known['contracts'][string];

/** Takes down which contracts and signatures were found. */
export class RecordedContracts {
  readonly contracts: Known['contracts'] = {};
  readonly given: Known['given'] = {};
  readonly creations: Known['creations'] = {};
  /** By list and number of the interface in it: fragments by their text. */
  readonly #signatures = new Map<string, { from: ContractInterface; abi: Map<string, AbiItem> }>();

  contractSource(source: ContractSource, asSubject: (network: Network) => Network): ContractSource {
    return {
      ...(source.remote === undefined ? {} : { remote: source.remote }),
      find: async (network, contracts, signal) => {
        const found = await source.find(asSubject(network), contracts, signal);
        for (const { address, code } of contracts) {
          const known = found.get(address);
          if (known) this.contracts[placeOf(address, 'd', code)] = contractOf(known);
        }
        return found;
      },
    };
  }

  /** @param list number of the source in the order of trust */
  signatureSource(source: SignatureSource, list: number): SignatureSource {
    return {
      ...(source.remote === undefined ? {} : { remote: source.remote }),
      candidates: async (wanted, signal) => {
        const found = await source.candidates(wanted, signal);
        const keys = new Set<string>([...wanted.selectors, ...wanted.topics]);
        for (const [index, from] of found.entries()) this.#noteSignatures(list, index, from, keys);
        return found;
      },
    };
  }

  creationSource(find: (initCode: Hex) => Promise<CreationCode | undefined>): typeof find {
    return async (initCode) => {
      const found = await find(initCode);
      if (found) {
        const { name, interface: abi, argumentsOffset: offset } = found;
        this.creations[hashOf(initCode)] = { name, offset, ...interfaceOf(abi) };
      }
      return found;
    };
  }

  noteGiven(found: ReadonlyMap<string, KnownContract>): void {
    for (const [address, known] of found) this.given[address as Hex] = contractOf(known);
  }

  signatures(): Known['signatures'] {
    return [...this.#signatures]
      .map(([key, { from, abi }]) => {
        const [list = 0, index = 0] = key.split(' ').map(Number);
        return { list, index, known: { source: from.source, abi: [...abi.values()] } };
      })
      .sort((a, b) => a.list - b.list || a.index - b.index)
      .map(({ list, known }) => ({ list, known }));
  }

  #noteSignatures(
    list: number,
    index: number,
    from: ContractInterface,
    keys: ReadonlySet<string>,
  ): void {
    const fragments = from.toAbi((key) => keys.has(key)) as AbiItem[];
    if (fragments.length === 0) return;
    // A remote source makes new interfaces for each request.
    const key = `${list} ${index}`;
    const known = this.#signatures.get(key) ?? { from, abi: new Map<string, AbiItem>() };
    for (const fragment of fragments) known.abi.set(JSON.stringify(fragment), fragment);
    this.#signatures.set(key, known);
  }
}

const interfaceOf = (known: ContractInterface): Pick<Contract, 'source' | 'abi'> => ({
  source: known.source,
  abi: known.toAbi() as AbiItem[],
});

const contractOf = ({
  name,
  interface: abi,
  constructorArguments,
  layout,
}: KnownContract): Contract => ({
  name,
  ...interfaceOf(abi),
  ...(constructorArguments === undefined ? {} : { constructorArguments }),
  ...(layout === undefined ? {} : { layout: layout as Contract['layout'] }),
});
