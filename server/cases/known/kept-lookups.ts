import type { ContractSource, KnownContract, SignatureSource } from '../../contracts/abi/sources';
import { ContractInterface } from '../../analysis/contract-interface';
import type { PriceSource } from '../../analysis/ports';
import type { DecodeSource } from '../../api/decoding';
import type { Address } from '../../api/primitives';
import { KeptSources } from './kept-sources';
import type { Known } from './known-schema';
import { codeOf, hashOf, placeOf, type Lookups } from './lookups';

/** What the user of an open case may add. */
type Own = Pick<Lookups, 'given' | 'userLabels'>;
/** Sources of interfaces that are found by the code alone, at whichever address it is. */
const BY_CODE: ReadonlySet<DecodeSource> = new Set<DecodeSource>(['artifact', 'built-in']);

/**
 * Look-ups that answer from a case file alone.
 * @param own of the user who opened it
 * @param inProgram sources of signatures that are part of the program, by their number in the order of trust
 */
export function keptLookups(
  known: Known,
  id: string,
  own: Own,
  inProgram: ReadonlyMap<number, SignatureSource>,
): Lookups {
  // A file may have more signatures than a call has arguments.
  const last = known.signatures.reduce((most, { list }) => Math.max(most, list), 0);
  const lists = Math.max(...inProgram.keys(), last) + 1;
  return {
    contracts: [contractSource(known)],
    signatures: Array.from(
      { length: lists },
      (_, list) => inProgram.get(list) ?? signatureSource(known, list),
    ),
    findCreation: (initCode) => {
      const found = known.creations[hashOf(initCode)];
      return Promise.resolve(
        found && {
          name: found.name,
          interface: ContractInterface.fromAbi(found.abi, found.source),
          argumentsOffset: found.offset,
        },
      );
    },
    finders: [new KeptSources(known, id)],
    given: {
      givenBy: async (user, chains, addresses) => {
        const wanted = [...addresses];
        const kept = wanted.flatMap((address) => {
          const found = known.given[address];
          return found ? [[address, contractOf(found)] as const] : [];
        });
        return new Map([...kept, ...(await own.given.givenBy(user, chains, wanted))]);
      },
    },
    userLabels: {
      labelsOf: async (user, chains) => ({
        ...known.labels.user,
        ...(await own.userLabels.labelsOf(user, chains)),
      }),
    },
    labels: known.labels.configured,
    prices: priceSource(known),
    isPrivate: () => true,
  };
}

function contractSource({ contracts }: Known): ContractSource {
  const byCode = new Map(
    Object.entries(contracts)
      .filter(([, { source }]) => BY_CODE.has(source))
      .map(([place, contract]) => [codeOf(place), contract]),
  );
  return {
    find: (_, wanted) => {
      const found = new Map<Address, KnownContract>();
      for (const { address, code } of wanted) {
        const place = placeOf(address, 'd', code);
        const contract = contracts[place] ?? byCode.get(codeOf(place));
        if (contract) found.set(address, contractOf(contract));
      }
      return Promise.resolve(found);
    },
  };
}

function signatureSource({ signatures }: Known, list: number): SignatureSource {
  const interfaces = signatures
    .filter((one) => one.list === list)
    .map(({ known: { abi, source } }) => ContractInterface.fromAbi(abi, source));
  return { candidates: () => Promise.resolve(interfaces) };
}

function priceSource({ prices }: Known): PriceSource {
  const known = new Map(
    prices.map(({ asset, timestamp, value, decimals, source, time }) => [
      `${timestamp} ${asset}`,
      {
        value: BigInt(value),
        decimals,
        ...(source === undefined ? {} : { source }),
        ...(time === undefined ? {} : { time }),
      },
    ]),
  );
  return {
    pricesAt: (_, assets, { timestamp }) =>
      Promise.resolve(
        new Map(
          assets.flatMap((asset) => {
            const price = known.get(`${timestamp} ${asset}`);
            return price ? [[asset, price] as const] : [];
          }),
        ),
      ),
  };
}

const contractOf = ({
  name,
  abi,
  source,
  constructorArguments,
  layout,
}: Known['contracts'][string]): KnownContract => ({
  name,
  interface: ContractInterface.fromAbi(abi, source),
  ...(constructorArguments === undefined ? {} : { constructorArguments }),
  ...(layout && { layout }),
});
