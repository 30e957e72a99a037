import { createHash, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Network, NetworkResolver } from '../../analysis/ports';
import type { SimulationNetworks } from '../../analysis/simulation/simulation';
import { ApiError } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import type { Hash } from '../../api/primitives';
import type { OnProgress } from '../../api/progress';
import type { SimulateBody } from '../../api/simulate';
import type { Recorded } from './debugged-transaction';
import { inputsName, keptSimulation, type InputStore, type KeptInputs } from './kept-inputs';
import { makeRecording, type ToRecord } from './make-recording';
import type {
  BlockRulesOf,
  ExecutionSource,
  SimulatedTransaction,
  SimulationSource,
} from './ports';

export interface SimulationPorts {
  readonly networks: Pick<NetworkResolver, 'resolve'> & SimulationNetworks;
  readonly executions: Pick<ExecutionSource, 'identified'>;
  readonly simulations: SimulationSource;
  readonly rulesOf: BlockRulesOf;
  /** A simulation that another node recorded. Undefined: there are no other nodes. */
  readonly simulatedElsewhere?:
    ((id: Hash) => Promise<SimulatedTransaction | undefined>) | undefined;
  /** If omitted, recordings are kept in memory alone. */
  readonly store?: InputStore | undefined;
}

interface Work {
  /** Id of the user whose interfaces name the calls. */
  readonly user: string | undefined;
  /** Whether it is simulated now: the id is that of this execution. */
  readonly isNew: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
}

/** What was simulated, by id, with the inputs of its recording on disk. */
export class RecordedSimulations {
  readonly #known = new LRUCache<Hash, SimulatedTransaction>({ max: LIMITS.recordedSimulations });

  constructor(private readonly ports: SimulationPorts) {}

  /** @returns undefined if it is not in memory */
  known(chain: string, id: Hash): SimulatedTransaction | undefined {
    const known = this.#known.get(id);
    return known?.chain === chain ? known : undefined;
  }

  /** @returns undefined unless this process, or one before it with the same data directory, recorded it */
  async findHere(id: Hash): Promise<SimulatedTransaction | undefined> {
    const known = this.#known.get(id);
    if (known) return known;
    const { simulation } = (await this.#kept(id)) ?? {};
    return simulation && { chain: simulation.chain, body: simulation.body };
  }

  /** @returns undefined if no simulation of the chain or fork has this id */
  async find(chain: string, id: Hash): Promise<SimulatedTransaction | undefined> {
    const found = (await this.findHere(id)) ?? (await this.ports.simulatedElsewhere?.(id));
    if (found?.chain !== chain) return undefined;
    this.add(id, found);
    return found;
  }

  add(id: Hash, simulated: SimulatedTransaction): void {
    this.#known.set(id, simulated);
  }

  /** @returns the id of a simulation, and its body with the number of its block @throws ApiError as `SimulationNetworks.at` */
  async place(
    chain: string,
    body: SimulateBody,
    signal?: AbortSignal,
  ): Promise<{ id: Hash; simulated: SimulatedTransaction }> {
    const { network, block } = await this.ports.networks.at(chain, body, signal);
    const position = body.position ?? block.transactions.length;
    const placed = { ...body, height: block.number, position };
    return { id: idOf(network, block.hash, placed), simulated: { chain, body: placed } };
  }

  /**
   * Makes a recording: from the inputs on disk, else by simulating it.
   * @throws ApiError `transactionNotFound` if it would be another execution, and as `makeRecording` and `Simulation.simulate`
   */
  async record(id: Hash, simulated: SimulatedTransaction, work: Work): Promise<Recorded> {
    const kept = work.isNew ? undefined : await this.#kept(id);
    const again = kept && (await this.#recordKept(id, kept, work));
    if (again) return again;
    if (!work.isNew) await this.#requireSame(id, simulated, work.signal);
    const { simulations, rulesOf, store } = this.ports;
    const { chain, body } = simulated;
    const { user, signal, onProgress } = work;
    const found = await simulations.locate(chain, body, { user, signal, onProgress });
    const { network, executed } = found.located;
    const { prestate } = executed.trace;
    const rules = await rulesOf(network, executed.mined.block);
    const facts: ToRecord = { ...found, rules, prestate };
    const recorded = await makeRecording(facts, signal, onProgress);
    store?.write(nameOf(id), keptSimulation(simulated, facts, recorded));
    return recorded;
  }

  /** @returns undefined if the inputs cannot be read @throws the signal's reason */
  async #recordKept(
    id: Hash,
    { mined, trace, hasEmpty, hashes, simulation }: KeptInputs,
    { user, signal, onProgress }: Work,
  ): Promise<Recorded | undefined> {
    if (!simulation) return undefined;
    const { block, overriddenCode } = simulation;
    const network = await this.ports.networks.resolve(simulation.network, id, signal);
    try {
      const executed = {
        mined,
        trace,
        isSimulated: true as const,
        ...(overriddenCode.length > 0 && { overriddenCode: new Map(overriddenCode) }),
      };
      const execution = { network: { ...network, user }, executed };
      const located = await this.ports.executions.identified(execution, signal);
      const rules = await this.ports.rulesOf(network, mined.block);
      const point = { ...simulation.point, network };
      const { prestate } = trace;
      const facts = { located, block, rules, point, prestate, hasEmpty, hashes };
      return await makeRecording(facts, signal, onProgress);
    } catch {
      signal.throwIfAborted();
      return undefined; // it is simulated again where that is the same execution
    }
  }

  /** @throws ApiError `transactionNotFound` if it would be another execution now, and as `SimulationNetworks.at` */
  async #requireSame(
    id: Hash,
    { chain, body }: SimulatedTransaction,
    signal: AbortSignal,
  ): Promise<void> {
    const { network, block } = await this.ports.networks.at(chain, body, signal);
    if (idOf(network, block.hash, body) === id) return;
    const why = network.replayable
      ? `a reorganisation of ${network.key} replaced its block`
      : `the state of fork ${network.key} may be another one now`;
    throw new ApiError(
      'transactionNotFound',
      `the recording of simulation ${id} is no longer kept, and ${why}: simulate it again`,
    );
  }

  async #kept(id: Hash): Promise<KeptInputs | undefined> {
    await this.ports.store?.settled();
    return this.ports.store?.read(nameOf(id));
  }
}

const nameOf = (id: Hash): string => inputsName(`simulation ${id}`);

/** The state of a fork may change without a block, so that each of its simulations is another one. */
function idOf({ key, replayable }: Network, blockHash: Hash, body: SimulateBody): Hash {
  const content = [key, blockHash, body, replayable ? '' : randomUUID()];
  return `0x${createHash('sha256').update(JSON.stringify(content)).digest('hex')}`;
}
