import type { Address, Hex } from '../../api/primitives';
import { inSlices } from '../../kernel/async/slices';
import { mintOf } from '../../evm/forms/deposit';
import { rulesOf } from '../../evm/rules/known-hardfork';
import { isSince } from '../../evm/forms/hardfork-order';
import { netChangesWork, type NetChange } from '../balances/net-changes';
import type { LocatedExecution } from '../executed-transaction';
import { contractNames } from '../names/contract-names';
import { calledTokens } from '../names/called-tokens';
import type { ContractTraits, TraitsOf } from '../names/traits';
import type {
  BlockTime,
  KnownContractSource,
  KnownName,
  TokenFacts,
  TokenFactsSource,
} from '../ports';
import { tokensOf, transfersWork, type PlacedTransfer } from '../transfers/collect';
import type { TransferContext } from '../transfers/transfer';

/** Who knows what the contracts of a trace are. */
export interface ContractSources {
  readonly tokens: TokenFactsSource;
  readonly traits: ContractTraits;
  /** Names from lists. If omitted, well-known contracts have no names of their own. */
  readonly knownContracts?: KnownContractSource | undefined;
}

/** A located execution, with what several of its views need. Each is obtained once, when the first view needs it. */
export class ViewedExecution {
  #collected: Promise<PlacedTransfer[]> | undefined;
  #summed: Promise<NetChange[]> | undefined;
  #facts: Promise<ReadonlyMap<Address, TokenFacts>> | undefined;
  #answered: Promise<TraitsOf> | undefined;
  #found: Promise<ReadonlyMap<Address, KnownName>> | undefined;

  constructor(
    readonly located: LocatedExecution,
    private readonly sources: ContractSources,
    readonly signal: AbortSignal,
  ) {}

  /** All transfers, in execution order. */
  transfers(): Promise<readonly PlacedTransfer[]> {
    const { root } = this.located.executed.trace;
    this.#collected ??= inSlices(transfersWork(root, transferContextOf(this.located)), this.signal);
    return this.#collected;
  }

  /** Net changes by the transfers. */
  async nets(): Promise<readonly NetChange[]> {
    const transfers = (await this.transfers()).map(({ transfer }) => transfer);
    this.#summed ??= inSlices(netChangesWork(transfers), this.signal);
    return this.#summed;
  }

  /** Transferred tokens that have ids (ERC-721 and ERC-1155): numbers of theirs are no amounts. */
  async collectibles(): Promise<ReadonlySet<Address>> {
    const found = new Set<Address>();
    for (const { transfer } of await this.transfers()) {
      if (transfer.tokenId !== undefined) found.add(transfer.asset);
    }
    return found;
  }

  /** Facts of the tokens that were transferred or called and of those of pools and vaults, as of the end of the block. */
  tokens(): Promise<ReadonlyMap<Address, TokenFacts>> {
    this.#facts ??= this.#requestTokens();
    return this.#facts;
  }

  /** Facts of further tokens, besides those of `tokens`. */
  async tokensWith(others: ReadonlySet<Address>): Promise<ReadonlyMap<Address, TokenFacts>> {
    const known = await this.tokens();
    const open = [...others].filter((token) => !known.has(token)).slice(0, MAX_TOKENS);
    if (open.length === 0) return known;
    return new Map([...known, ...(await this.#factsOf(open))]);
  }

  /** What pools and vaults of the trace answer about their tokens. */
  traits(): Promise<TraitsOf> {
    const { network, known, executed } = this.located;
    const { hash } = executed.mined.block;
    const block = { number: this.block.number, hash };
    this.#answered ??= this.sources.traits.read(network, known.contracts, block, this.signal);
    return this.#answered;
  }

  /** Names of contracts besides those of their sources and the symbols of tokens. */
  names(): Promise<ReadonlyMap<Address, KnownName>> {
    this.#found ??= this.#findNames();
    return this.#found;
  }

  /** The block in which tokens and prices are looked up. */
  get block(): BlockTime {
    const { receipt, block } = this.located.executed.mined;
    return { number: BigInt(receipt.blockNumber), timestamp: Number(block.timestamp) };
  }

  async #requestTokens(): Promise<ReadonlyMap<Address, TokenFacts>> {
    const [transfers, traits] = await Promise.all([this.transfers(), this.traits()]);
    const { executed, known } = this.located;
    const tokens = new Set([
      ...tokensOf(transfers.map(({ transfer }) => transfer)),
      ...[...traits.values()].flatMap(({ pool, asset }) =>
        pool ? [pool.token0, pool.token1] : (asset ?? []),
      ),
      ...calledTokens(executed.trace.root, known.contracts).slice(0, MAX_TOKENS),
    ]);
    return this.#factsOf([...tokens]);
  }

  #factsOf(tokens: readonly Address[]): Promise<ReadonlyMap<Address, TokenFacts>> {
    const { network } = this.located;
    return this.sources.tokens.factsOf(network, tokens, this.block.number, this.signal);
  }

  async #findNames(): Promise<ReadonlyMap<Address, KnownName>> {
    const { network, known } = this.located;
    const [traits, tokens] = await Promise.all([this.traits(), this.tokens()]);
    const codes = new Map<Address, Hex | true>();
    for (const { pool } of traits.values()) {
      if (pool?.isConfirmed && pool.factory) codes.set(pool.factory, true);
    }
    for (const [address, { code }] of known.contracts) if (code) codes.set(address, code);
    const listed =
      (await this.sources.knownContracts?.namesOf(network, codes)) ?? new Map<Address, KnownName>();
    return contractNames({ contracts: known.contracts, tokens, listed, traits });
  }
}

/** Bounds the requests for tokens that were called but not transferred. */
const MAX_TOKENS = 300;

/** What transfers are read by. */
export function transferContextOf({ network, executed, known }: LocatedExecution): TransferContext {
  const rules = rulesOf(network, executed.mined.block);
  return {
    wrappedNative: network.wrappedNative,
    contracts: known.contracts,
    destructionNeedsCreation: rules !== undefined && isSince(rules, 'cancun'),
    destructionKeepsEther: rules !== undefined && isSince(rules, 'amsterdam'),
    mint: mintOf(executed.mined.transaction),
  };
}
