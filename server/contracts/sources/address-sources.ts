import { keccak256 } from 'ethers';
import { findImplementations } from '../abi/proxies';
import { unlistedName, type KnownContractSource, type Network } from '../../analysis/ports';
import type { SimulationNetworks } from '../../analysis/simulation/simulation';
import type { AddressSource, ContractSource } from '../../api/contract-source';
import { ApiError } from '../../api/errors';
import type { Height } from '../../api/height';
import type { Address, Hex } from '../../api/primitives';
import { RpcError } from '../../evm/forms/json-rpc';
import type { CodeSources, KnownSource } from './code-sources';
import { immutableValue, namedImmutables } from './immutables';

export interface AddressSourcesPorts {
  networks: SimulationNetworks;
  sources: Pick<CodeSources, 'sourceOf'>;
  /** Marks names that imitate well-known ones. */
  known: Pick<KnownContractSource, 'imitatedContract'>;
}

export interface WantedSource {
  /** Slug of a chain, or id of a fork; a sleeping fork wakes. */
  readonly chain: string;
  readonly address: Address;
  readonly height: Height;
  /** Name of the only wanted file. */
  readonly file?: string | undefined;
}

/** Sources of the code at addresses. */
export class AddressSources {
  constructor(private readonly ports: AddressSourcesPorts) {}

  /** @throws ApiError `chainNotFound`, `invalidField`, `upstreamUnreachable`, `upstreamLacksData`, `timedOut` */
  async at(
    { chain, address, height, file }: WantedSource,
    user: string,
    signal: AbortSignal,
  ): Promise<AddressSource> {
    const place = await this.ports.networks.at(chain, { height }, signal).catch(namedBlock);
    const { block } = place;
    const network = { ...place.network, user };
    const codeAt = (account: Address): Promise<Hex> =>
      readCode(network, account, block.number, signal);
    const code = await codeAt(address);
    const number = BigInt(block.number);
    const targets = await findImplementations(network, new Map([[address, code]]), number, signal);
    const { implementation, facets } = targets.get(address) ?? {};
    const targetCode = implementation && (await codeAt(implementation));
    const [own, target] = await Promise.all([
      this.#codeSource(network, address, code, file, signal),
      implementation && targetCode !== undefined && targetCode !== '0x'
        ? this.#codeSource(network, implementation, targetCode, file, signal)
        : undefined,
    ]);
    return {
      ...own,
      blockNumber: Number(number),
      ...(target && { implementation: target }),
      ...(facets && { facets: [...facets] }),
    };
  }

  async #codeSource(
    network: Network,
    address: Address,
    code: Hex,
    file: string | undefined,
    signal: AbortSignal,
  ): Promise<NonNullable<AddressSource['implementation']>> {
    const executed = { address, code, isCreation: false };
    const known =
      code === '0x' ? undefined : await this.ports.sources.sourceOf(network, executed, signal);
    return {
      address,
      codeHash: keccak256(code),
      source: known
        ? await this.#named(network, address, known, await toSource(known, code, file))
        : null,
    };
  }

  /** Anyone may verify a source under any name. The user's own builds may have every name. */
  async #named(
    network: Network,
    address: Address,
    { contract }: KnownSource,
    source: ContractSource,
  ): Promise<ContractSource> {
    const { origin } = contract.compilation;
    if (origin === 'workspace' || origin === 'sandbox') return source;
    const imitated = await this.ports.known.imitatedContract(network, address, source.name);
    return imitated === undefined ? source : { ...source, name: unlistedName(source.name) };
  }
}

/** The parameter of the route is `block`. */
function namedBlock(error: unknown): never {
  throw error instanceof ApiError && error.kind === 'invalidField'
    ? new ApiError('invalidField', error.message.replace(/^height\b/, 'block'))
    : error;
}

/** @throws ApiError `upstreamLacksData` if the node has no state of the block */
async function readCode(
  { rpc, key }: Network,
  account: Address,
  block: Hex,
  signal: AbortSignal,
): Promise<Hex> {
  const code = await rpc.request('eth_getCode', [account, block], { signal }).catch(lacksState);
  if (typeof code === 'string' && /^0x([0-9a-f]{2})*$/i.test(code))
    return code.toLowerCase() as Hex;
  return lacksState();

  function lacksState(cause?: unknown): never {
    if (cause instanceof Error && !(cause instanceof RpcError)) throw cause;
    throw new ApiError(
      'upstreamLacksData',
      `the node of ${key} does not return the code of ${account} in block ${Number(block)}`,
      { cause },
    );
  }
}

async function toSource(
  { contract, match }: KnownSource,
  code: Hex,
  wanted: string | undefined,
): Promise<ContractSource> {
  const { compilation } = contract;
  const { contractName: name, language, compilerVersion, settings, origin } = compilation;
  const files = (await contract.files()).filter(
    ({ file }) => wanted === undefined || file.name === wanted,
  );
  const immutables = namedImmutables(contract).flatMap((immutable) => {
    const value = immutableValue(immutable, code);
    return value === undefined ? [] : [{ name: immutable.name, type: immutable.type, value }];
  });
  const { storageLayout } = compilation;
  return {
    name,
    language,
    compilerVersion,
    settings,
    from: origin,
    match,
    files: files.map(({ file, text }) => ({
      name: file.name,
      ...(file.id !== undefined && { id: file.id }),
      ...(text && { content: text.content }),
    })),
    hasMap: contract.deployed !== undefined,
    ...(storageLayout && { storageLayout: copyOf(storageLayout) }),
    ...(immutables.length > 0 && { immutables }),
  };
}

/** The layout is read-only, and the answer's type is not. */
const copyOf = (
  layout: NonNullable<KnownSource['contract']['compilation']['storageLayout']>,
): NonNullable<ContractSource['storageLayout']> =>
  structuredClone(layout) as NonNullable<ContractSource['storageLayout']>;
