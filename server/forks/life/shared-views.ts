import PQueue from 'p-queue';
import { ApiError } from '../../api/errors';
import type { Fork } from '../../api/fork';
import type { EnginePool } from './engine-pool';
import { countExecutions } from './count-executions';
import type { KnownForks } from './known-forks';
import { ManagedFork } from './managed-fork';
import type { ForkPorts, LocatedFork, SharedForks } from './ports';

/** Journals that are read at a time, and for one list. Further forks are listed without the facts of their journals. */
const READS = 8;
const READS_PER_LIST = 100;
/** Sleeping forks whose journals' facts are kept. */
const KEPT = 5_000;

/** Lists the forks of a project, whichever node runs them. */
export class SharedViews {
  /** Sleeping forks, with the epoch up to which their journals were read. */
  readonly #sleeping = new Map<string, { epoch: number; fork: ManagedFork }>();

  constructor(
    private readonly ports: ForkPorts,
    private readonly shared: SharedForks,
    private readonly pool: EnginePool,
  ) {}

  async list(projectId: string, known: KnownForks): Promise<Fork[]> {
    const { shared, ports } = this;
    const located = await shared.list(projectId);
    const owners = new Set(located.flatMap(({ owner = shared.nodeId }) => owner));
    owners.delete(shared.nodeId);
    const elsewhere = new Map(
      (await shared.viewsOf(projectId, owners)).map((view) => [view.forkId, view]),
    );
    let reads = READS_PER_LIST;
    const queue = new PQueue({ concurrency: READS });
    return Promise.all(
      located.map(async (one): Promise<Fork> => {
        const { record, owner } = one;
        const here = shared.holds(record.forkId) ? known.get(record.forkId) : undefined;
        if (here) return here.view();
        const view = elsewhere.get(record.forkId);
        // The address of the node that was asked, as for all other forks.
        if (view) return { ...view, rpc: ports.rpcUrl(record.secret) };
        const read = this.#read(one);
        if (read) return read.view();
        const found = await (reads-- > 0
          ? queue.add(() => this.#readNow(one))
          : this.#unread(one).view());
        // The node that runs it does not answer.
        const isRunning = owner !== undefined && found.state !== 'failed';
        return isRunning ? { ...found, state: 'running' } : found;
      }),
    );
  }

  #unread({ record }: LocatedFork): ManagedFork {
    // A list changes nothing that clients have to hear of.
    return new ManagedFork(
      record,
      { ...this.ports, onChange: () => undefined },
      this.pool,
      'sleeping',
    );
  }

  /** A fork whose journal was read after the last change of it. */
  #read({ record, epoch }: LocatedFork): ManagedFork | undefined {
    const found = this.#sleeping.get(record.forkId);
    if (found?.epoch !== epoch) return undefined;
    Object.assign(found.fork.record, record);
    return found.fork;
  }

  /** Completes the statistics as well: a node that was killed may not have counted the last transactions. */
  async #readNow(one: LocatedFork): Promise<Fork> {
    const fork = this.#unread(one);
    try {
      countExecutions(one.record, await fork.readJournal(), this.ports);
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'engineUnavailable') throw error;
      fork.fail(error);
    }
    // Another node may still change it.
    if (one.owner !== undefined) return fork.view();
    const { forkId } = fork.record;
    this.#sleeping.delete(forkId);
    this.#sleeping.set(forkId, { epoch: one.epoch, fork });
    const [oldest] = this.#sleeping.keys();
    if (this.#sleeping.size > KEPT && oldest !== undefined) this.#sleeping.delete(oldest);
    return fork.view();
  }
}
