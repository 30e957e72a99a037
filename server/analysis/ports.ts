import type { Address, Hash, Hex } from '../api/primitives';
import type { OnProgress } from '../api/progress';
import type { Hardfork } from '../api/config';
import type { RpcClient } from '../evm/forms/json-rpc';
import type { RpcBlockHeader, RpcReceipt, RpcTransaction } from '../evm/forms/types';
import type { CallFrame, CallType } from './call-frame';
import type { ContractInterface } from './contract-interface';
import type { ExecutionState } from './execution-state';
import type { StorageLayout } from './storage-layout';

/** The chain or fork on which a transaction is analysed. */
export interface Network {
  /**
   * Slug of the configured chain, or id of the fork. Caches use it as their key instead of the chain id, which several chains may share.
   */
  readonly key: string;
  /** Slug of the configured chain; for a fork, of the forked chain. */
  readonly chain?: string | undefined;
  /** For a fork, the chain id of the forked chain. */
  readonly chainId: number;
  readonly nativeSymbol: string;
  readonly wrappedNative?: Address | undefined;
  /** The rules of every block, as configured. */
  readonly hardfork?: Hardfork | undefined;
  /** The rules that a request names. They replace the rules of the block. */
  readonly named?: Hardfork | undefined;
  /** Labels of accounts and contracts; they override all names that are found. */
  readonly labels?: Readonly<Record<Address, string>> | undefined;
  /** The requesting user: the ABIs that this user gave for addresses apply. */
  readonly user?: string | undefined;
  readonly rpc: RpcClient;
  /** Whether a local engine can replay its blocks. Blocks of a fork cannot be replayed: the fork's own engine traces them. */
  readonly replayable: boolean;
  /** Of a case file: its newest block ends with the transaction of the case. */
  readonly held?: {
    /** Undefined: a node has older ones. */
    readonly oldestState: number | undefined;
  };
  /** Set if its blocks are those of a fork that a case file holds: an engine then stands for the one of the fork. */
  readonly standsForFork?: boolean | undefined;
}

export interface NetworkResolver {
  /**
   * Returns the network that contains the transaction. For a fork id, this is its engine, or the forked chain for transactions up to the
   * fork point.
   * @throws ApiError `chainNotFound`
   */
  resolve(chain: string, hash: Hash, signal?: AbortSignal): Promise<Network>;
}

/** A transaction in a block, as reported by the network. */
export interface MinedTransaction {
  readonly transaction: RpcTransaction;
  readonly receipt: RpcReceipt;
  readonly block: RpcBlockHeader;
}

/** How far a replay is proved beyond the receipt. */
export interface ReplayProof {
  /** Every earlier transaction of the block was executed with an equal receipt. */
  readonly wholePrefix: boolean;
  /** Whether the resulting state equals the chain's; undefined if not compared. */
  readonly state?: 'equal' | 'different';
  /** Why the replay is not proved, as text. */
  readonly reason?: string;
  /** Error in an earlier trace of the transaction, which was made from a part of the prefix; as text. */
  readonly corrected?: string;
}

export interface TransactionTrace {
  readonly root: CallFrame;
  /** `debug`: recorded by the network's node. `replay`: replayed on a local engine. */
  readonly method: 'debug' | 'replay';
  /** Of a replay: what is assumed about the rules, and what the engine does not execute as the chain does; one sentence each. */
  readonly warnings?: readonly string[];
  /** What executed a replay, if it is not an engine. */
  readonly executor?: 'process';
  /** Gas of the top frame as reported by the tracer; `root.gasUsed` is the receipt's. */
  readonly reportedGas: number;
  /** Set for a replay: number of earlier transactions of the block that were executed. */
  readonly applied?: number;
  /** Set for a replay, and for a record of the node that lacks something. */
  readonly proof?: ReplayProof;
  /** Set if the trace source reports it along with the trace. */
  readonly state?: ExecutionState;
  /** Result of `prestateTracer`: everything that the transaction reads, as before it. Set if the trace source reports it along with the trace. */
  readonly prestate?: unknown;
  /** Result of `prestateTracer` with `diffMode`; set if the replay matches the receipt and reports it along with the trace. */
  readonly changes?: unknown;
  /** Set for a simulation, which cannot be queried later, and if the trace source reports it along with the trace. */
  readonly spentGas?: SpentGas;
}

export interface TraceSource {
  /** @throws ApiError `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`, `timedOut` */
  trace(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<TransactionTrace>;
}

/** Proves replays that were made from a part of their prefix. */
export interface TraceProver {
  /**
   * Executes every earlier transaction of the block, then the transaction, and compares the resulting state with the chain's.
   * @param guess a replay with an equal receipt
   * @returns the trace to use from now on: proved, or with the reason why it is not
   * @throws ApiError as `TraceSource.trace`
   */
  prove(
    network: Network,
    mined: MinedTransaction,
    guess: TransactionTrace,
    signal: AbortSignal,
  ): Promise<TransactionTrace>;
}

export interface StateSource {
  /**
   * State before and after a transaction; undefined if the network's node does not report it.
   * @param root its call tree
   * @throws ApiError `upstreamUnreachable`, `timedOut`
   */
  state(
    network: Network,
    mined: MinedTransaction,
    root: CallFrame,
    signal: AbortSignal,
  ): Promise<ExecutionState | undefined>;
}

/** Gas of the top call of a transaction. It does not depend on the rules of intrinsic gas. */
export interface SpentGas {
  /** Gas of the top call with all nested calls, before refunds. */
  readonly spent: number;
  /** Refund counter at its end (EIP-2200), without authorizations; undefined if unknown. */
  readonly counter?: number;
}

/** A word that an execution wrote to storage, in a call that may have been rolled back. */
export interface StorageWrite {
  readonly account: Address;
  readonly slot: Hash;
  readonly value: Hash;
}

export interface StorageWriteSource {
  /** The words that the storage of accounts was given, in order; undefined if they are not known. Never rejects. */
  writes(
    network: Network,
    mined: MinedTransaction,
    accounts: readonly Address[],
    signal: AbortSignal,
  ): Promise<readonly StorageWrite[] | undefined>;
}

export interface SpentGasSource {
  /**
   * Gas of the top call; undefined if neither the node nor an engine reports it.
   * @param request.created code that a creation deployed, `0x` for none
   * @param request.needsCounter whether the refund counter is needed as well
   * @throws only if `signal` is aborted, or for a defect of this program
   */
  spentGas(
    network: Network,
    mined: MinedTransaction,
    request: { created: Hex; needsCounter: boolean },
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<SpentGas | undefined>;
}

/** The result of `prestateTracer` with `diffMode`, and whether a node or a local engine produced it. */
export interface RawStateDiff {
  readonly answer: unknown;
  readonly method: 'debug' | 'replay';
}

export interface StateDiffSource {
  /**
   * @param root the transaction's call tree
   * @throws ApiError `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`, `timedOut`
   */
  diff(
    network: Network,
    mined: MinedTransaction,
    root: CallFrame,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<RawStateDiff>;
}

/** Where a call was made in the caller's code, and where it ended. Offsets are bytes of the code that ran. */
export interface FramePoints {
  /** Undefined for the top call. */
  readonly type?: CallType;
  readonly to?: Address;
  /** Offset of the instruction in the caller that made the call. */
  readonly site?: number;
  /** Offset of the last instruction; missing if none was executed. */
  readonly end?: number;
  /** Offsets of the last jumps before it, oldest first. */
  readonly jumps: readonly number[];
}

export interface FramePointSource {
  /**
   * Returns the points of every call of a transaction, in execution order.
   * @throws ApiError `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`, `timedOut`
   */
  points(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<readonly FramePoints[]>;
}

/** Addresses, codes, selectors and topics of a trace that need an ABI. */
export interface IdentifyRequest {
  /** Addresses that were called or that emitted logs. */
  readonly addresses: ReadonlySet<Address>;
  /** Code that the transaction itself deployed, by address. */
  readonly deployed: ReadonlyMap<Address, Hex>;
  readonly initCodes: ReadonlySet<Hex>;
  /** First four bytes of call data and of revert data. */
  readonly selectors: ReadonlySet<Hex>;
  /** First topics of logs. */
  readonly topics: ReadonlySet<Hash>;
  readonly block: { readonly number: bigint; readonly hash: Hash };
}

/** Facts about one address. Unknown facts are omitted. */
export interface Contract {
  /** Code that a call executes; `0x` if there is none. */
  readonly code?: Hex;
  readonly name?: string;
  /** Set if the user gave the name. */
  readonly isNameGiven?: true;
  /** Interface of exactly this code. */
  readonly interface?: ContractInterface;
  /** ABI-encoded, without `0x`; undefined if unknown. */
  readonly constructorArguments?: string;
  /** Interface that the user gave for this address. */
  readonly given?: ContractInterface;
  /** Target of a proxy's calls (EIP-1967, EIP-1822, EIP-1167, EIP-7702, Safe, ZeppelinOS). */
  readonly implementation?: Address;
  /** Targets of a diamond's calls (EIP-2535). */
  readonly facets?: readonly Address[];
  /** Storage layout of its code. */
  readonly layout?: StorageLayout;
}

/** Creation code of known source. The constructor's arguments follow it in the init code. */
export interface CreationCode {
  readonly name: string;
  readonly interface: ContractInterface;
  /** Offset of the arguments in the init code, in bytes. */
  readonly argumentsOffset: number;
}

export interface Identification {
  readonly contracts: ReadonlyMap<Address, Contract>;
  /** By init code. */
  readonly creations: ReadonlyMap<Hex, CreationCode>;
  /** Signatures without an address, most trustworthy first. */
  readonly signatures: readonly ContractInterface[];
  /** Argument types of functions without a known signature, as inferred from bytecode. */
  readonly shapes?: ContractInterface;
}

export interface AbiSource {
  /** Never rejects for missing facts; facts that cannot be found are omitted. */
  identify(
    network: Network,
    request: IdentifyRequest,
    signal: AbortSignal,
  ): Promise<Identification>;
}

export interface TokenFacts {
  readonly symbol?: string;
  /** 0-255. */
  readonly decimals?: number;
  /** Set if one of the facts is from a list of well-known tokens, because the token did not answer. */
  readonly isListed?: true;
  /** Set if the token answers other decimals than the list of its chain: then neither are believed, and `decimals` is left out. */
  readonly disputedDecimals?: DisputedDecimals;
  /** Symbol of the listed token that the symbol imitates; `symbol` then says that the token is unlisted. */
  readonly imitates?: string;
}

export interface DisputedDecimals {
  /** What the token answers. */
  readonly own: number;
  readonly listed: number;
}

export interface TokenFactsSource {
  /**
   * Facts as of the end of the block. A missing entry means that no facts are known.
   * @param tokens contracts: accounts with code
   */
  factsOf(
    network: Network,
    tokens: readonly Address[],
    block: bigint,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Address, TokenFacts>>;
}

/** What a contract is known as, and who says so. */
export interface KnownName {
  readonly name: string;
  /** Package or document. */
  readonly source: string;
}

export interface KnownContractSource {
  /**
   * Names of well-known contracts of the network's chain. Never rejects.
   * @param codes of accounts; true for a contract that answered a call, whose code is not known. Only accounts with code have names.
   */
  namesOf(
    network: Network,
    codes: ReadonlyMap<Address, Hex | true>,
  ): Promise<ReadonlyMap<Address, KnownName>>;
  /** Whether a list of the network's chain contains the address, as a contract or a token. Never rejects. */
  isListed(network: Network, address: Address): Promise<boolean>;
  /**
   * The name of a well-known contract or token that a name at another address imitates; undefined for none. Never rejects.
   * @param name of the contract at the address
   */
  imitatedContract(network: Network, address: Address, name: string): Promise<string | undefined>;
}

const UNLISTED = 'unlisted ';

/** A name or symbol of a contract that imitates a well-known one. The mark is part of it, so that no text can show it without. */
export const unlistedName = (name: string): string => `${UNLISTED}${name}`;

/** The name that a source gives to its contract; the known name if that is marked as unlisted. */
export const nameBySource = (source: string, known: string | undefined): string =>
  known?.startsWith(UNLISTED) ? known : source;

/** USD for one whole unit: `value / 10 ** decimals`. */
export interface Price {
  readonly value: bigint;
  readonly decimals: number;
  /** Name of the source. */
  readonly source?: string;
  /** Time of the price, Unix seconds. */
  readonly time?: number;
}

export interface BlockTime {
  readonly number: bigint;
  /** Unix seconds. */
  readonly timestamp: number;
}

export interface PriceSource {
  /**
   * Prices at the block's time, by asset; `NATIVE_ASSET` for the chain's own currency. Assets without a price have no entry.
   * Never rejects for an unavailable price.
   */
  pricesAt(
    network: Network,
    assets: readonly Address[],
    block: BlockTime,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Address, Price>>;
}

export interface LabelSource {
  /** Labels of a user for all chains and for the given chains; later chains win. */
  labelsOf(user: string, chains: readonly string[]): Promise<Record<Address, string>>;
}
