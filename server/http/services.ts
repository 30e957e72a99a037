import type { AbiItem, GivenAbi } from '../api/abi';
import type { Activity } from '../api/activity';
import type { BlockReference, ChainBlock } from '../api/chain-block';
import type {
  AddressTransactions,
  BlockTransactions,
  ChainHealth,
  ListedBlocks,
  MethodName,
  StoryTransaction,
} from '../api/chain-explorer';
import type { PublicChain } from '../api/config';
import type { Decodings } from '../api/decode';
import type { BalanceChange, InvocationFlow } from '../api/explorer';
import type { BranchForkBody, CreateForkBody, Fork, ForkTransactions } from '../api/fork';
import type { Label } from '../api/labels';
import type { AddressSource } from '../api/contract-source';
import type { Height } from '../api/height';
import type { AddressFacts, FoundTransactions } from '../api/lookup';
import type { TokenBalances } from '../api/token-balances';
import type { Address, Hash, Hex } from '../api/primitives';
import type { OnProgress } from '../api/progress';
import type {
  Bytes,
  Disassembly,
  ExecutedLines,
  RecordedBlock,
  RecordedCalls,
  RecordedFile,
  RecordedStep,
  Recording,
  Variable,
  Variables,
} from '../api/recording';
import type { RecordTestBody } from '../api/recorded-test';
import type { ConsoleLines } from '../api/recording-console';
import type { RecordingNames } from '../api/recording-names';
import type { FailedConditions } from '../api/recording-conditions';
import type { FindRequest, Found } from '../api/recording-search';
import type { Writers } from '../api/recording-writers';
import type { RouteInput } from '../api/routes';
import type { Snapshot } from '../api/snapshot';
import type { SimulateBody } from '../api/simulate';
import type { SourceLocations } from '../api/source-locations';
import type { Analysis, FundFlow, GasProfile, StateDiff } from '../api/views';

/* Interfaces of the services that the handlers call. The handlers have already authorized the caller for the given project id. */

interface Cancellable {
  signal: AbortSignal;
}

export interface LongOperation extends Cancellable {
  /** Receives the progress. */
  onProgress?: OnProgress;
}

/** Lists are in order of creation, oldest first. A fork of another project counts as unknown: ApiError `forkNotFound`. */
export interface ForkService {
  create(projectId: string, body: CreateForkBody, options: LongOperation): Promise<Fork>;
  branch(
    projectId: string,
    forkId: string,
    body: BranchForkBody,
    options: LongOperation,
  ): Promise<Fork>;
  list(projectId: string): Promise<Fork[]>;
  get(projectId: string, forkId: string): Promise<Fork>;
  delete(projectId: string, forkId: string): Promise<void>;
  deleteAllOf(projectId: string): Promise<void>;
  renewAddress(projectId: string, forkId: string): Promise<Fork>;
  /** Newest first. */
  transactions(
    projectId: string,
    forkId: string,
    query: RouteInput<'listForkTransactions'>['query'],
  ): Promise<ForkTransactions>;
  /** The default snapshot first, then oldest first. */
  snapshots(projectId: string, forkId: string): Promise<Snapshot[]>;
  keepSnapshot(projectId: string, forkId: string, name: string): Promise<Snapshot>;
  deleteSnapshot(projectId: string, forkId: string, id: string): Promise<void>;
  revertSnapshot(projectId: string, forkId: string, id: string): Promise<void>;
  /** Project of a fork; undefined for an unknown id. */
  findProjectId(forkId: string): Promise<string | undefined>;
}

/** A transaction, identified by its hash and its chain's slug or fork id. */
export interface TransactionKey {
  chain: string;
  hash: Hash;
  /** The caller, whose own ABIs are used. */
  user?: string;
  /** Delays the answer until no proof of the analysis is running. */
  isProofAwaited?: boolean;
}

export interface AnalysisService {
  balanceChange(transaction: TransactionKey, options: LongOperation): Promise<BalanceChange>;
  invocationFlow(transaction: TransactionKey, options: LongOperation): Promise<InvocationFlow>;
  fundFlow(transaction: TransactionKey, options: LongOperation): Promise<FundFlow>;
  stateDiff(transaction: TransactionKey, options: LongOperation): Promise<StateDiff>;
  gasProfile(transaction: TransactionKey, options: LongOperation): Promise<GasProfile>;
  all(transaction: TransactionKey, options: LongOperation): Promise<Analysis>;
}

/** Positions of calls in the sources of contracts. */
export interface SourceService {
  locations(transaction: TransactionKey, options: LongOperation): Promise<SourceLocations>;
  /** @param user id of the user */
  ofSimulation(
    chain: string,
    body: SimulateBody,
    user: string,
    options: LongOperation,
  ): Promise<SourceLocations>;
}

/** Sources of the code at addresses. */
export interface AddressSourceService {
  /**
   * @param wanted.file name of the only wanted file; undefined for all
   * @param user the caller
   */
  at(
    wanted: { chain: string; address: Address; height: Height; file: string | undefined },
    user: string,
    signal: AbortSignal,
  ): Promise<AddressSource>;
}

export interface SimulationService {
  /** @param user the caller */
  simulate(
    chain: string,
    body: SimulateBody,
    user: string,
    options: LongOperation,
  ): Promise<Analysis>;
}

export interface TransactionSearchService {
  /**
   * @param forks forks to search besides the chains; the search wakes them
   * @param slugs undefined: all chains with a configured endpoint
   * @throws ApiError `chainNotFound`
   */
  find(
    hash: Hash,
    forks: readonly Fork[],
    slugs: readonly string[] | undefined,
    signal: AbortSignal,
  ): Promise<FoundTransactions>;
}

/** Of which codes the steps of a recording are. */
export type RecordingBuild = 'executed' | 'unoptimized';

/** A transaction, or a recorded simulation, on a chain or fork. */
export interface RecordingKey {
  readonly chain: string;
  readonly transaction: Hash;
  readonly user: string;
  readonly block?: Hash;
  readonly build?: RecordingBuild;
}

/** Steps of executions, for debuggers. Each operation makes the recording if it is not there. */
export interface RecordingService {
  recording(key: RecordingKey, options: LongOperation): Promise<Recording>;
  simulation(
    chain: string,
    body: SimulateBody,
    by: { readonly user: string; readonly build?: RecordingBuild | undefined },
    options: LongOperation,
  ): Promise<Recording>;
  test(body: RecordTestBody, user: string, options: LongOperation): Promise<Recording>;
  block(
    key: RecordingKey & { readonly block: Hash },
    options: LongOperation,
  ): Promise<RecordedBlock>;
  calls(
    key: RecordingKey,
    page: RouteInput<'getRecordedCalls'>['query'],
    options: LongOperation,
  ): Promise<RecordedCalls>;
  step(key: RecordingKey, step: number, options: LongOperation): Promise<RecordedStep>;
  bytes(
    key: RecordingKey,
    step: number,
    query: RouteInput<'getRecordedBytes'>['query'],
    options: LongOperation,
  ): Promise<Bytes>;
  variables(
    key: RecordingKey,
    step: number,
    query: RouteInput<'getRecordedVariables'>['query'],
    options: LongOperation,
  ): Promise<Variables>;
  evaluate(
    key: RecordingKey,
    step: number,
    body: RouteInput<'evaluateInRecording'>['body'],
    options: LongOperation,
  ): Promise<Variable>;
  find(key: RecordingKey, request: FindRequest, options: LongOperation): Promise<Found>;
  writers(
    key: RecordingKey,
    query: RouteInput<'getWriters'>['query'],
    options: LongOperation,
  ): Promise<Writers>;
  names(key: RecordingKey, options: LongOperation): Promise<RecordingNames>;
  console(key: RecordingKey, options: LongOperation): Promise<ConsoleLines>;
  conditions(key: RecordingKey, options: LongOperation): Promise<FailedConditions>;
  lines(
    key: RecordingKey,
    query: RouteInput<'getExecutedLines'>['query'],
    options: LongOperation,
  ): Promise<ExecutedLines>;
  instructions(
    key: RecordingKey,
    contract: number,
    query: RouteInput<'getDisassembly'>['query'],
    options: LongOperation,
  ): Promise<Disassembly>;
  file(
    key: RecordingKey,
    contract: number,
    wanted: { name: string; hasPath: boolean },
    options: LongOperation,
  ): Promise<RecordedFile>;
}

export interface AddressService {
  /** @param user the caller */
  factsOf(
    chain: string,
    address: Address,
    user: string,
    signal: AbortSignal,
  ): Promise<AddressFacts>;
  /** @param tokens contracts to ask besides the known tokens of the chain */
  balancesOf(
    chain: string,
    address: Address,
    tokens: readonly Address[],
    signal: AbortSignal,
  ): Promise<TokenBalances>;
}

/** Folders with build output, which identify contracts. */
export interface ArtifactFolderService {
  /** @returns all folders in use */
  add(folders: readonly string[]): readonly string[];
}

/** ABIs that users uploaded. Each user has their own. */
export interface AbiService {
  put(key: AbiKey, contractName: string, abi: readonly AbiItem[]): Promise<GivenAbi>;
  /** @throws ApiError `abiNotFound` */
  get(key: AbiKey): Promise<GivenAbi>;
  /** @throws ApiError `abiNotFound` */
  delete(key: AbiKey): Promise<void>;
}

interface AbiKey {
  user: string;
  chain: string;
  address: Address;
}

/** Labels that users set for addresses. Each user has their own. */
export interface LabelService {
  /** Oldest first. */
  list(user: string): Promise<Label[]>;
  /** @throws ApiError `labelLimit` */
  put(key: LabelKey, name: string): Promise<Label>;
  /** @throws ApiError `labelNotFound` */
  delete(key: LabelKey): Promise<void>;
}

interface LabelKey {
  user: string;
  /** Undefined: all chains. */
  chain?: string | undefined;
  address: Address;
}

/** Blocks of the configured chains. */
export interface BlockDirectory {
  find(chain: string, at: BlockReference, options: Cancellable): Promise<ChainBlock>;
}

export interface ChainDirectory {
  list(): PublicChain[];
}

/** Blocks of chains and forks, and their transactions. */
export interface BlockExplorerService {
  health(chain: string, signal: AbortSignal): Promise<ChainHealth>;
  blocks(
    chain: string,
    query: RouteInput<'listBlocks'>['query'],
    signal: AbortSignal,
  ): Promise<ListedBlocks>;
  /**
   * @param block number or hash
   * @param user the caller, whose labels apply
   */
  transactions(
    chain: string,
    block: string,
    query: RouteInput<'listBlockTransactions'>['query'],
    user: string,
    signal: AbortSignal,
  ): Promise<BlockTransactions>;
  /** @param user the caller, whose labels apply */
  addressTransactions(
    chain: string,
    address: Address,
    query: RouteInput<'listAddressTransactions'>['query'],
    user: string,
    signal: AbortSignal,
  ): Promise<AddressTransactions>;
  /** @param user the caller, whose labels apply */
  activity(
    chain: string,
    request: RouteInput<'findActivity'>['body'],
    user: string,
    signal: AbortSignal,
  ): Promise<Activity>;
  /** @param name of ENS */
  addressOfName(
    chain: string,
    name: string,
    signal: AbortSignal,
  ): Promise<{ name: string; address: Address }>;
  /** Empty for a chain that is not built in. */
  story(chain: string): readonly StoryTransaction[];
}

/** Decodes data that belongs to no transaction. */
export interface DataDecoderService {
  /** @param user the caller */
  decode(
    data: Hex,
    at: { chain: string; address: Address } | undefined,
    user: string,
    signal: AbortSignal,
  ): Promise<Decodings>;
}

/** Finds functions by their selector. */
export interface MethodDirectory {
  /** Unknown selectors have no entry. Uses only sources on this machine. */
  methodNames(selectors: ReadonlySet<Hex>): Promise<ReadonlyMap<Hex, MethodName>>;
}
