import type { AbiItem, GivenAbi } from '../api/abi';
import type { BlockReference, ChainBlock } from '../api/chain-block';
import type { PublicChain } from '../api/config';
import type { BalanceChange, InvocationFlow } from '../api/explorer';
import type { BranchForkBody, CreateForkBody, Fork, ForkTransactions } from '../api/fork';
import type { Label } from '../api/labels';
import type { AddressFacts, FoundTransactions } from '../api/lookup';
import type { Address, Hash, Hex } from '../api/primitives';
import type { OnProgress } from '../api/progress';
import type { RouteInput } from '../api/routes';
import type { Snapshot } from '../api/snapshot';
import type { SimulateBody } from '../api/simulate';
import type { SourceLocations } from '../api/source-locations';
import type { Analysis, FundFlow, GasProfile, StateDiff } from '../api/views';

/* What the handlers need of the other rooms. Callers have been checked: a project id given here may be used. */

interface Cancellable {
  signal: AbortSignal;
}

export interface LongOperation extends Cancellable {
  /** Told how far it is. */
  onProgress?: OnProgress;
}

/** Lists are oldest first. A fork of another project is an unknown one: ApiError `forkNotFound`. */
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
  /** Oldest first, the default one in front. */
  snapshots(projectId: string, forkId: string): Promise<Snapshot[]>;
  keepSnapshot(projectId: string, forkId: string, name: string): Promise<Snapshot>;
  deleteSnapshot(projectId: string, forkId: string, id: string): Promise<void>;
  revertSnapshot(projectId: string, forkId: string, id: string): Promise<void>;
  /** Project of a fork; undefined for what is no fork. */
  findProjectId(forkId: string): Promise<string | undefined>;
}

/** A transaction by its chain's slug, or by the fork on which it was made. */
export interface TransactionKey {
  chain: string;
  hash: Hash;
  /** Who asks: the ABIs that he gave count. */
  user?: string;
  /** The answer waits until no proof of the analysis is running. */
  isProofAwaited?: boolean;
}

export interface AnalysisService {
  balanceChange(transaction: TransactionKey, options: LongOperation): Promise<BalanceChange>;
  invocationFlow(transaction: TransactionKey, options: LongOperation): Promise<InvocationFlow>;
}

/** More of what one trace tells. */
export interface ViewService {
  fundFlow(transaction: TransactionKey, options: LongOperation): Promise<FundFlow>;
  stateDiff(transaction: TransactionKey, options: LongOperation): Promise<StateDiff>;
  gasProfile(transaction: TransactionKey, options: LongOperation): Promise<GasProfile>;
  all(transaction: TransactionKey, options: LongOperation): Promise<Analysis>;
}

/** Where calls stand in the user's own sources. */
export interface SourceService {
  locations(transaction: TransactionKey, options: LongOperation): Promise<SourceLocations>;
}

export interface SimulationService {
  /** @param user who asks */
  simulate(
    chain: string,
    body: SimulateBody,
    user: string,
    options: LongOperation,
  ): Promise<Analysis>;
}

export interface TransactionSearchService {
  /**
   * @param forks asked besides the chains; asking wakes them
   * @param slugs undefined: all chains for which somebody named an endpoint
   * @throws ApiError `chainNotFound`
   */
  find(
    hash: Hash,
    forks: readonly Fork[],
    slugs: readonly string[] | undefined,
    signal: AbortSignal,
  ): Promise<FoundTransactions>;
}

export interface AddressService {
  /** @param user who asks */
  factsOf(
    chain: string,
    address: Address,
    user: string,
    signal: AbortSignal,
  ): Promise<AddressFacts>;
}

/** Folders of build output, by which contracts are recognised. */
export interface ArtifactFolderService {
  /** @returns all that are looked into */
  add(folders: readonly string[]): readonly string[];
}

/** ABIs that users gave. Each user has his own. */
export interface AbiService {
  put(place: AbiPlace, contractName: string, abi: readonly AbiItem[]): Promise<GivenAbi>;
  /** @throws ApiError `abiNotFound` */
  get(place: AbiPlace): Promise<GivenAbi>;
  /** @throws ApiError `abiNotFound` */
  delete(place: AbiPlace): Promise<void>;
}

interface AbiPlace {
  user: string;
  chain: string;
  address: Address;
}

/** Names that users gave to addresses. Each user has his own. */
export interface LabelService {
  /** Oldest first. */
  list(user: string): Promise<Label[]>;
  /** @throws ApiError `labelLimit` */
  put(place: LabelPlace, name: string): Promise<Label>;
  /** @throws ApiError `labelNotFound` */
  delete(place: LabelPlace): Promise<void>;
}

interface LabelPlace {
  user: string;
  /** Undefined: all. */
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

/** Knows functions by their selector. */
export interface MethodDirectory {
  /** A selector that nobody on this machine knows has no entry. */
  methodNames(selectors: ReadonlySet<Hex>): Promise<ReadonlyMap<Hex, string>>;
}
