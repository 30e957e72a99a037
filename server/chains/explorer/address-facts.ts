import type { AddressFacts } from '../../api/lookup';
import type { TokenBalances } from '../../api/token-balances';
import type { Address, Hex } from '../../api/primitives';
import { toDecimal } from '../../evm/forms/quantity';
import type { RpcBlock } from '../../evm/forms/types';
import type {
  AbiSource,
  KnownContractSource,
  LabelSource,
  Network,
  TokenFactsSource,
} from '../../analysis/ports';
import type { SimulationNetworks } from '../../analysis/simulation/simulation';
import { tokenBalances } from './token-balances';

export interface AddressDirectoryPorts {
  networks: SimulationNetworks;
  abis: AbiSource;
  tokens: TokenFactsSource;
  knownContracts?: KnownContractSource & {
    /** Tokens that lists of the network's chain contain. Never rejects. */
    tokensOf(network: Network): Promise<readonly Address[]>;
  };
  userLabels: LabelSource;
}

/** EIP-7702: prefix of the code of an account that delegates to a contract. */
const DELEGATION = '0xef0100';

/** Describes an address: kind, name, balance, nonce and token facts. */
export class AddressDirectory {
  constructor(private readonly ports: AddressDirectoryPorts) {}

  /**
   * @param chain slug of a chain, or id of a fork; a sleeping fork wakes
   * @param user the user whose labels and ABIs apply
   * @throws ApiError `chainNotFound`, `upstreamUnreachable`, `upstreamLacksData`, `timedOut`
   */
  async factsOf(
    chain: string,
    address: Address,
    user: string,
    signal: AbortSignal,
  ): Promise<AddressFacts> {
    const place = await this.ports.networks.at(chain, { height: 'latest' }, signal);
    const { block } = place;
    const network = { ...place.network, user };
    const [code, balance, nonce] = (await Promise.all(
      ['eth_getCode', 'eth_getBalance', 'eth_getTransactionCount'].map((method) =>
        network.rpc.request(method, [address, block.number], { signal }),
      ),
    )) as [Hex, Hex, Hex];
    const isContract = code !== '0x' && !code.startsWith(DELEGATION);
    const [name, token, listed] = await Promise.all([
      this.#nameOf(network, address, user, block, signal),
      isContract ? this.#tokenAt(network, address, block, signal) : undefined,
      this.ports.knownContracts?.namesOf(network, new Map([[address, code]])),
    ]);
    return {
      address,
      chain,
      blockNumber: Number(block.number),
      kind: code === '0x' ? 'account' : isContract ? 'contract' : 'delegated',
      name: name ?? token?.symbol ?? listed?.get(address)?.name ?? '',
      balance: toDecimal(BigInt(balance), 18),
      nativeSymbol: network.nativeSymbol,
      nonce: Number(nonce),
      codeSize: (code.length - 2) / 2,
      ...(token === undefined ? {} : { token }),
    };
  }

  /**
   * @param given contracts to ask besides the known tokens of the chain
   * @throws ApiError as `factsOf`
   */
  async balancesOf(
    chain: string,
    address: Address,
    given: readonly Address[],
    signal: AbortSignal,
  ): Promise<TokenBalances> {
    const { network, block } = await this.ports.networks.at(chain, { height: 'latest' }, signal);
    const ports = {
      tokens: this.ports.tokens,
      listed: async () => (await this.ports.knownContracts?.tokensOf(network)) ?? [],
    };
    const read = await tokenBalances(network, address, given, block, ports, signal);
    return { address, chain, blockNumber: Number(block.number), ...read };
  }

  async #nameOf(
    network: Network,
    address: Address,
    user: string,
    { number, hash }: RpcBlock,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const chains = [network.chain ?? network.key, network.key];
    const label = (await this.ports.userLabels.labelsOf(user, chains))[address];
    const known = label ?? network.labels?.[address];
    if (known !== undefined) return known;
    const request = {
      addresses: new Set([address]),
      deployed: new Map(),
      initCodes: new Set<Hex>(),
      selectors: new Set<Hex>(),
      topics: new Set<Hex>(),
      block: { number: BigInt(number), hash },
    };
    const { contracts } = await this.ports.abis.identify(network, request, signal);
    return contracts.get(address)?.name;
  }

  async #tokenAt(
    network: Network,
    address: Address,
    { number }: RpcBlock,
    signal: AbortSignal,
  ): Promise<AddressFacts['token']> {
    const facts = await this.ports.tokens.factsOf(network, [address], BigInt(number), signal);
    const token = facts.get(address);
    if (token === undefined || Object.keys(token).length === 0) return undefined;
    const { isListed, ...known } = token;
    return { ...known, source: isListed ? 'list' : 'chain' };
  }
}
