import type { Address, Hash, Hex } from '../api/primitives';
import type { OnProgress } from '../api/progress';
import type { Hardfork } from '../api/config';
import type { RpcClient } from '../ethereum/json-rpc';
import type { RpcBlockHeader, RpcReceipt, RpcTransaction } from '../ethereum/types';
import type { CallFrame, CallType } from './call-frame';
import type { ContractInterface } from './contract-interface';
import type { ExecutionState } from './execution-state';
import type { SpentGas } from './gas-parts';
import type { StorageLayout } from './storage-layout';

/** The chain or fork that a transaction is analysed on. */
export interface Network {
  /**
   * Slug of the configured chain, or id of the fork. Caches are keyed by it and never by the chain id:
   * several chains may share one.
   */
  readonly key: string;
  /** Slug of the configured chain; of a fork: of the one that it was forked from. */
  readonly chain?: string | undefined;
  /** Of a fork: the chain id of the chain that it was forked from. */
  readonly chainId: number;
  readonly nativeSymbol: string;
  readonly wrappedNative?: Address | undefined;
  /** Pins the rules of every block, as configured. */
  readonly hardfork?: Hardfork | undefined;
  /** Names that its accounts and contracts go by, over all that can be found out. */
  readonly labels?: Readonly<Record<Address, string>> | undefined;
  /** Who asks: the interfaces that he gave for addresses count. */
  readonly user?: string | undefined;
  readonly rpc: RpcClient;
  /** Whether its blocks can be executed again on an engine of ours. A fork's cannot: its own engine traces them. */
  readonly replayable: boolean;
}

export interface NetworkResolver {
  /**
   * The network that holds the transaction: for a fork id its engine, or the forked chain for what happened before the fork.
   * @throws ApiError `chainNotFound`
   */
  resolve(chain: string, hash: Hash, signal?: AbortSignal): Promise<Network>;
}

/** A transaction in a block, as the network tells it. */
export interface MinedTransaction {
  readonly transaction: RpcTransaction;
  readonly receipt: RpcReceipt;
  readonly block: RpcBlockHeader;
}

/** How far a replay is proved beyond the receipt. */
export interface ReplayProof {
  /** Every earlier transaction of the block was executed and gave its receipt. */
  readonly wholePrefix: boolean;
  /** Whether the state that it leaves is the chain's; undefined: not compared. */
  readonly state?: 'equal' | 'different';
  /** Why it is not proved, in words. */
  readonly reason?: string;
  /** What an earlier trace of the transaction, made from a part of the prefix, had wrong. */
  readonly corrected?: string;
}

export interface TransactionTrace {
  readonly root: CallFrame;
  /** `debug`: recorded by the network's node. `replay`: executed again on an engine of ours. */
  readonly method: 'debug' | 'replay';
  /** Gas of the top frame as the tracer reports it; `root.gasUsed` is the receipt's. */
  readonly reportedGas: number;
  /** Of a replay: how many of the earlier transactions of its block were executed. */
  readonly applied?: number;
  /** Of a replay. */
  readonly proof?: ReplayProof;
  /** Where the source of the trace tells it along the way. */
  readonly state?: ExecutionState;
  /** The answer of `prestateTracer` with `diffMode`, where a replay gave the receipt and tells it along the way. */
  readonly changes?: unknown;
  /** Of a simulation, which nothing can be asked about later. */
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

/** Proves replays that were made from a part of what they depend on. */
export interface TraceProver {
  /**
   * Executes every earlier transaction of the block, then the transaction, and compares the state that it leaves with the chain's.
   * @param guess a replay that gave the receipt
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
   * What a transaction found and left; undefined where the network's node does not tell.
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

export interface SpentGasSource {
  /**
   * What the top call took; undefined where neither the node nor an engine tells it.
   * @param request.created code that a creation left, `0x` for none
   * @param request.needsCounter whether the refund counter is asked for as well
   * @throws only where `signal` is aborted, or for a fault of this program
   */
  spentGas(
    network: Network,
    mined: MinedTransaction,
    request: { created: Hex; needsCounter: boolean },
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<SpentGas | undefined>;
}

/** Where in its code a call was made, and where it ended. Offsets are bytes of the code that ran. */
export interface FramePoints {
  /** Undefined for the top call. */
  readonly type?: CallType;
  readonly to?: Address;
  /** Of the instruction in the caller that made the call. */
  readonly site?: number;
  /** Of the last instruction; missing where none was executed. */
  readonly end?: number;
  /** Of the last jumps before it, oldest first. */
  readonly jumps: readonly number[];
}

export interface FramePointSource {
  /**
   * Of every call of a transaction, in execution order.
   * @throws ApiError `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`, `timedOut`
   */
  points(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<readonly FramePoints[]>;
}

/** What a trace asks about interfaces. */
export interface IdentifyRequest {
  /** Addresses that were called or that emitted. */
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

/** What is known of one address. Unknown facts are left out. */
export interface Contract {
  /** Code that a call executes; `0x` where there is none. */
  readonly code?: Hex;
  readonly name?: string;
  /** Interface of exactly this code. */
  readonly interface?: ContractInterface;
  /** ABI-encoded, without `0x`, where they are known. */
  readonly constructorArguments?: string;
  /** Interface that the user gave for this address. */
  readonly given?: ContractInterface;
  /** Where a proxy's calls go (EIP-1967, EIP-1822, EIP-1167, EIP-7702, Safe, ZeppelinOS). */
  readonly implementation?: Address;
  /** Where a diamond's calls go (EIP-2535). */
  readonly facets?: readonly Address[];
  /** Where its code keeps its variables. */
  readonly layout?: StorageLayout;
  /** Path of the artifact that its code was recognised by. */
  readonly artifact?: string;
}

/** A creation's code of known source: what follows it in the init code are the constructor's arguments. */
export interface CreationCode {
  readonly name: string;
  readonly interface: ContractInterface;
  /** Offset of the arguments in the init code, in bytes. */
  readonly argumentsOffset: number;
  /** Path of the artifact that it was recognised by. */
  readonly artifact?: string;
}

export interface Identification {
  readonly contracts: ReadonlyMap<Address, Contract>;
  /** By init code. */
  readonly creations: ReadonlyMap<Hex, CreationCode>;
  /** Signatures that are tied to no address, most trustworthy first. */
  readonly signatures: readonly ContractInterface[];
  /** Types of the arguments of methods that have no signature, as bytecode shows them. */
  readonly shapes?: ContractInterface;
}

export interface AbiSource {
  /** Never rejects for missing knowledge: what cannot be found out is left out. */
  identify(
    network: Network,
    request: IdentifyRequest,
    signal: AbortSignal,
  ): Promise<Identification>;
}

export interface TokenFacts {
  readonly symbol?: string;
  /** 0-255 */
  readonly decimals?: number;
}

export interface TokenFactsSource {
  /** Facts as of the end of the block. A token without an entry has none that are known. */
  factsOf(
    network: Network,
    tokens: readonly Address[],
    block: bigint,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Address, TokenFacts>>;
}

/** USD for one whole unit: `value / 10 ** decimals`. */
export interface Price {
  readonly value: bigint;
  readonly decimals: number;
  /** Who says so. */
  readonly source?: string;
  /** When it was set, Unix seconds. */
  readonly time?: number;
}

export interface BlockTime {
  readonly number: bigint;
  /** Unix seconds */
  readonly timestamp: number;
}

export interface PriceSource {
  /**
   * Prices at the block's time, by asset; `NATIVE_ASSET` for the chain's own. An asset without an entry has none.
   * Never rejects for a price that cannot be had.
   */
  pricesAt(
    network: Network,
    assets: readonly Address[],
    block: BlockTime,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Address, Price>>;
}
