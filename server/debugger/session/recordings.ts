import { LRUCache } from 'lru-cache';
import { fetchIncludedTransaction } from '../../analysis/transactions/load';
import type { LocatedExecution } from '../../analysis/executed-transaction';
import type { Network } from '../../analysis/ports';
import { ApiError } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import type { OnProgress } from '../../api/progress';
import type { Hash } from '../../api/primitives';
import type { SimulateBody } from '../../api/simulate';
import { SharedCache, type WaitOptions } from '../../kernel/async/shared-cache';
import type { ProgramSource } from '../../contracts/sources/program-source';
import { DebuggedTransaction, type Recorded } from './debugged-transaction';
import { opStackPrestate } from './op-stack-prestate';
import { inputsName, keptInputs, type KeptInputs } from './kept-inputs';
import {
  makeRecording,
  requireKnownRules,
  requireKnownType,
  type ToRecord,
} from './make-recording';
import { openTwin } from './open-twin';
import type { ExecutionSource, PrestateSource, SimulatedTransaction, TestSource } from './ports';
import { Renewals } from './renewals';
import { RecordedSimulations, type SimulationPorts } from './recorded-simulations';

export interface RecordingPorts extends SimulationPorts {
  readonly executions: ExecutionSource;
  readonly prestates: PrestateSource;
  readonly programs: ProgramSource;
  readonly tests?: TestSource;
  /** Changes with every change of the interfaces that a user gave. */
  readonly revisionOf: (user: string) => Promise<string>;
}

/** What to debug: a transaction, or a recorded simulation. */
export interface RecordingKey {
  /** Slug of a chain, or id of a fork. */
  readonly chain: string;
  /** Hash of the transaction, or id of the simulation. */
  readonly transaction: Hash;
  /** Id of the user whose interfaces name the calls. */
  readonly user?: string;
  /** Hash of the block whose recording is wanted. */
  readonly block?: Hash;
  /** Of which codes the steps are; default: those that were executed. */
  readonly build?: Build;
}

/** `unoptimized`: where they can be built and have the same effects, of builds without the optimizer. */
export type Build = 'executed' | 'unoptimized';

export interface RecordingOptions {
  readonly keptBytes?: number;
  /** Milliseconds. */
  readonly clock?: { now: () => number };
}

/** The block of a transaction is asked for again after this time without a request, in milliseconds. */
const PLACE_MS = 5_000;
const PLACES = 1_000;

interface Place {
  /** Key of the recording, without its user. */
  readonly key: string;
  readonly blockHash: Hash;
  /** Where its inputs are kept. Undefined for forks: their state may change between blocks, and their own engines trace them. */
  readonly file?: string;
}

/** Makes recordings of transactions and simulations, and keeps the latest ones in memory; the inputs of those of chains and of simulations also on disk. */
export class Recordings {
  readonly #recordings: SharedCache<DebuggedTransaction>;
  /** By chain and transaction. The block may be replaced. */
  readonly #places: LRUCache<string, Place>;
  /** By chain, transaction and block: what is recorded of a block stays. */
  readonly #pinned = new LRUCache<string, Place>({ max: PLACES });
  readonly #simulations: RecordedSimulations;
  readonly #renewals: Renewals;
  readonly #twinNames = new WeakMap<DebuggedTransaction, string>();
  #twins = 0;

  constructor(
    private readonly ports: RecordingPorts,
    { keptBytes = LIMITS.recordingsKept, clock = performance }: RecordingOptions = {},
  ) {
    this.#simulations = new RecordedSimulations(ports);
    this.#renewals = new Renewals(ports);
    this.#recordings = new SharedCache(keptBytes, ({ bytes }) => bytes);
    const age = { ttl: PLACE_MS, updateAgeOnGet: true, ttlResolution: 0, perf: clock };
    this.#places = new LRUCache({ max: PLACES, ...age });
  }

  /**
   * Makes a recording, or returns the one that is kept; that of `key.block` also after the block was replaced.
   * @throws ApiError `chainNotFound`, `transactionNotFound`, `transactionPending`, `recordingTooLarge`, `recordingUnsupported`, `upstream…`,
   * `engineUnavailable`, `timedOut`, `cancelled`
   */
  async open(key: RecordingKey, options: WaitOptions = {}): Promise<DebuggedTransaction> {
    const executed = await this.#open(key, options);
    return key.build === 'unoptimized' ? this.unoptimized(executed, options) : executed;
  }

  /** The same transaction in unoptimized builds of its codes; the given one, with reasons, where that cannot be. @throws ApiError `timedOut`, `cancelled` */
  async unoptimized(
    executed: DebuggedTransaction,
    options: WaitOptions = {},
  ): Promise<DebuggedTransaction> {
    const name = this.#twinNames.get(executed) ?? `twin ${++this.#twins}`;
    this.#twinNames.set(executed, name);
    const twin = await this.#recordings.get(
      name,
      (signal, onProgress) => openTwin(executed, this.ports.programs, signal, onProgress),
      options,
    );
    // A compiler may be installed at any time.
    if (!twin.recorded.executed) this.#recordings.forget(name);
    return twin;
  }

  async #open(key: RecordingKey, options: WaitOptions): Promise<DebuggedTransaction> {
    const { chain, transaction, user } = key;
    const simulated = this.#simulations.known(chain, transaction);
    if (simulated) return this.#openSimulation(transaction, simulated, { user }, options);
    const test = this.ports.tests?.find(chain, transaction);
    const view = await this.#viewOf(user);
    if (test) {
      const record = async (signal: AbortSignal, onProgress: OnProgress) =>
        DebuggedTransaction.open(await test(user, signal, onProgress), this.ports.programs, signal);
      return this.#opened(`${chain} ${transaction} ${view}`, record, options);
    }
    const pinned = this.#pinnedAs(key, view);
    const known = this.#recordings.known(pinned);
    if (known) return this.#current(pinned, known);
    let place: Place;
    try {
      place = await this.#placeOf(key, options.signal);
    } catch (error) {
      const isUnknown = error instanceof ApiError && error.kind === 'transactionNotFound';
      const other = isUnknown && (await this.#simulations.find(chain, transaction));
      if (!other) throw error;
      return this.#openSimulation(transaction, other, { user }, options);
    }
    const record = (signal: AbortSignal, onProgress: OnProgress) =>
      this.#record(key, place, signal, onProgress);
    return this.#opened(`${place.key} ${view}`, record, options);
  }

  /** Notes that `key.block` was replaced: its recording reads no more state, and the next one is that of the present block. */
  async leave(key: RecordingKey, reason: string): Promise<void> {
    this.#places.delete(`${key.chain} ${key.transaction}`);
    const pinned = this.#pinnedAs(key, await this.#viewOf(key.user));
    this.#recordings.known(pinned)?.untouched.end(reason);
  }

  /** A simulation that this process, or one before it with the same data directory, recorded. */
  async simulated(id: Hash): Promise<SimulatedTransaction | undefined> {
    return this.#simulations.findHere(id);
  }

  /**
   * Records an unsent transaction.
   * @returns its id with the recording
   * @throws ApiError as `open` and `Simulation.simulate`
   */
  async simulate(
    chain: string,
    body: SimulateBody,
    user: string | undefined,
    options: WaitOptions = {},
  ): Promise<{ id: Hash; debugged: DebuggedTransaction }> {
    const { id, simulated } = await this.#simulations.place(chain, body, options.signal);
    const debugged = await this.#openSimulation(id, simulated, { user, isNew: true }, options);
    this.#simulations.add(id, simulated);
    return { id, debugged };
  }

  async #placeOf(key: RecordingKey, signal?: AbortSignal): Promise<Place> {
    const place = await this.#place(key, signal);
    const { block, chain, transaction } = key;
    if (block !== undefined && block !== place.blockHash) {
      throw new ApiError(
        'transactionNotFound',
        `transaction ${transaction} is no longer in block ${block} of ${chain}, and the recording of that block is no longer kept: debug the transaction again`,
      );
    }
    return place;
  }

  /** Key of the recording of `key.block`; empty if none is known. */
  #pinnedAs({ chain, transaction, block }: RecordingKey, view: string): string {
    const place = this.#pinned.get(`${chain} ${transaction} ${block ?? ''}`);
    return place ? `${place.key} ${view}` : '';
  }

  /** The recording that is kept, or another one. */
  async #opened(
    key: string,
    load: Parameters<SharedCache<DebuggedTransaction>['get']>[1],
    options: WaitOptions,
  ): Promise<DebuggedTransaction> {
    const known = this.#recordings.known(key);
    return known ? this.#current(key, known) : this.#recordings.get(key, load, options);
  }

  #current(key: string, known: DebuggedTransaction): Promise<DebuggedTransaction> {
    return this.#renewals.current(known, (renewed) => {
      this.#recordings.replace(key, renewed);
    });
  }

  /** What the names of calls depend on. */
  async #viewOf(user: string | undefined): Promise<string> {
    return user === undefined ? '' : `${user} ${await this.ports.revisionOf(user)}`;
  }

  async #place({ chain, transaction }: RecordingKey, signal?: AbortSignal): Promise<Place> {
    const wanted = `${chain} ${transaction}`;
    const known = this.#places.get(wanted);
    if (known !== undefined) return known;
    const network = await this.ports.networks.resolve(chain, transaction, signal);
    const { blockHash } = await fetchIncludedTransaction(network, transaction, signal);
    const key = [network.key, transaction, blockHash].join();
    const place = { key, blockHash, ...(network.replayable && { file: inputsName(key) }) };
    this.#places.set(wanted, place);
    this.#pinned.set(`${wanted} ${blockHash}`, place);
    return place;
  }

  async #record(
    { chain, transaction, user }: RecordingKey,
    { file }: Place,
    signal: AbortSignal,
    onProgress: OnProgress,
  ): Promise<DebuggedTransaction> {
    const { executions, prestates, store, programs } = this.ports;
    const resolved = await this.ports.networks.resolve(chain, transaction, signal);
    requireKnownRules(resolved);
    const kept = file === undefined ? undefined : await store?.read(file);
    const again = kept && (await this.#recordKept({ ...resolved, user }, kept, signal, onProgress));
    if (again) return DebuggedTransaction.open(again, programs, signal);
    const wanted = { chain, hash: transaction, ...(user !== undefined && { user }) };
    const located = await executions.locate(wanted, { signal, onProgress });
    const { network, executed } = located;
    const { mined, trace } = executed;
    const facts = await this.#factsOf(located);
    requireKnownType(facts);
    const found = await prestates.prestate(network, mined, trace, signal, onProgress);
    const prestate = opStackPrestate(network, mined, trace, found);
    const wholeFacts = { ...facts, prestate };
    const recorded = await makeRecording(wholeFacts, signal, onProgress);
    const inputs = keptInputs(wholeFacts, recorded);
    if (file !== undefined && inputs) store?.write(file, inputs);
    return DebuggedTransaction.open(recorded, programs, signal);
  }

  /** @returns undefined if the inputs do not give the transaction @throws the signal's reason */
  async #recordKept(
    network: Network,
    { mined, trace, hasEmpty, hashes }: KeptInputs,
    signal: AbortSignal,
    onProgress: OnProgress,
  ): Promise<Recorded | undefined> {
    try {
      const execution = { network, executed: { mined, trace } };
      const located = await this.ports.executions.identified(execution, signal);
      const facts = {
        ...(await this.#factsOf(located)),
        prestate: trace.prestate,
        hasEmpty,
        hashes,
      };
      const recorded = await makeRecording(facts, signal, onProgress);
      return recorded.verification.level === 'different' ? undefined : recorded;
    } catch {
      signal.throwIfAborted();
      return undefined; // the node is asked, and says what is wrong
    }
  }

  async #factsOf(located: LocatedExecution): Promise<Omit<ToRecord, 'prestate'>> {
    const { network, executed } = located;
    const { block, transaction } = executed.mined;
    const position = Number(transaction.transactionIndex ?? 0);
    const point = { network, block, position };
    return { located, block, rules: await this.ports.rulesOf(network, block), point };
  }

  async #openSimulation(
    id: Hash,
    simulated: SimulatedTransaction,
    { user, isNew = false }: { user: string | undefined; isNew?: boolean },
    options: WaitOptions,
  ): Promise<DebuggedTransaction> {
    const load = async (signal: AbortSignal, onProgress: OnProgress) => {
      const work = { user, isNew, signal, onProgress };
      const recorded = await this.#simulations.record(id, simulated, work);
      return DebuggedTransaction.open(recorded, this.ports.programs, signal);
    };
    const key = `${simulated.chain} ${id} ${await this.#viewOf(user)}`;
    return this.#opened(key, load, options);
  }
}
