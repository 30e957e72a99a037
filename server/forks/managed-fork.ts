import { ApiError, forkNotFound } from '../api/errors';
import type { Fork, ForkState } from '../api/fork';
import type { Engine } from '../ethereum/engine';
import type { RunningFork } from './fork-methods';
import { ForkNode } from './fork-node';
import { rpcChainIdOf, toFork, type ForkRecord } from './fork-record';
import { launchFork } from './launch-fork';
import type { ForkPorts, Journal } from './ports';

/** Moves that a fork can make; anything else is a mistake of ours. */
const MOVES: Readonly<Record<ForkState, readonly ForkState[]>> = {
  creating: ['running', 'failed', 'deleting'],
  running: ['sleeping', 'deleting'],
  // `failed` is a fork whose engine could not be started; the next request tries again.
  sleeping: ['running', 'failed', 'deleting'],
  failed: ['running', 'failed', 'deleting'],
  deleting: [],
};

export interface AwakeFork extends RunningFork {
  process: Engine;
}

/** One fork: its record, its state, and its engine while it has one. */
export class ManagedFork {
  #state: ForkState;
  #awake: Promise<AwakeFork> | undefined;
  #gone: Promise<void> | undefined;
  /** Of the engine before: what it still had to write is in the journal then. */
  #journalClosed = Promise.resolve();
  readonly #ended = new AbortController();

  constructor(
    readonly record: ForkRecord,
    private readonly ports: ForkPorts,
    state: ForkState,
  ) {
    this.#state = state;
  }

  get state(): ForkState {
    return this.#state;
  }

  view(): Fork {
    return toFork(this.record, this.ports.rpcUrl(this.record.secret), this.#state);
  }

  /**
   * The running fork; starts its engine where there is none, and does again what its journal holds. Who comes meanwhile waits for the same start.
   * @throws ApiError forkNotFound once it is deleted, or why the engine does not start
   */
  awake(signal?: AbortSignal): Promise<AwakeFork> {
    if (this.#state === 'deleting') return Promise.reject(forkNotFound(this.record.forkId));
    return (this.#awake ??= this.#start(signal).catch((error: unknown) => {
      this.#awake = undefined;
      if (this.#state !== 'deleting') this.#move('failed');
      throw error;
    }));
  }

  /** Ends the engine; the fork stays, and wakes at the next request. */
  async sleep(): Promise<void> {
    const awake = await this.#awake?.catch(() => undefined);
    await awake?.process.stop();
  }

  /** Ends the engine and forgets the journal. Safe to call again. */
  delete(): Promise<void> {
    return (this.#gone ??= this.#delete());
  }

  async #delete(): Promise<void> {
    this.#move('deleting');
    this.#ended.abort();
    await this.sleep();
    await this.#journalClosed;
    await this.ports.journals.remove(this.record.forkId);
  }

  async #start(signal: AbortSignal | undefined): Promise<AwakeFork> {
    const { record, ports } = this;
    const either = signal ? AbortSignal.any([signal, this.#ended.signal]) : this.#ended.signal;
    const { engine: process, upstream, replay } = await launchFork(record, ports, either);
    if (replay?.firstDifference !== undefined) {
      ports.log.warn(
        { forkId: record.forkId, chain: record.chain, difference: replay.firstDifference },
        'the replayed transactions of the fork differ from the originals',
      );
    }
    let journal: Journal | undefined;
    try {
      await this.#journalClosed;
      const opened = await ports.journals.open(record.forkId);
      journal = opened.journal;
      const node = await this.#nodeOf(process, opened.journal, opened.entries);
      either.throwIfAborted();
      this.#move('running');
      void process.exited.then(() => {
        this.#awake = undefined;
        this.#journalClosed = opened.journal.close();
        if (this.#state === 'running') this.#move('sleeping');
      });
      return {
        node,
        process,
        engine: process.rpc,
        upstream,
        chainId: rpcChainIdOf(record),
        antiReplay: record.antiReplay,
        forkBlock: record.base,
        originalHead: record.base + (record.prefix > 0 ? 1 : 0),
      };
    } catch (error) {
      await process.stop();
      await journal?.close();
      throw either.aborted ? new ApiError('cancelled', 'the start was cancelled') : error;
    }
  }

  #nodeOf(
    process: Engine,
    journal: Journal,
    entries: Parameters<typeof ForkNode.start>[1],
  ): Promise<ForkNode> {
    const { record, ports } = this;
    return ForkNode.start(
      {
        engine: process.rpc,
        snapshotId: record.snapshotId,
        now: () => ports.clock().getTime(),
        record: async (entry) => {
          try {
            await journal.append(entry);
          } catch (error) {
            // The engine knows what the journal does not: it must not go on.
            await process.stop();
            throw new ApiError('internal', 'the change could not be made durable', {
              cause: error,
            });
          }
        },
        executed: (count) => ports.countTransactions(record.projectId, count),
      },
      entries,
    );
  }

  #move(to: ForkState): void {
    if (!MOVES[this.#state].includes(to)) {
      throw new Error(`fork ${this.record.forkId} is ${this.#state} and cannot become ${to}`);
    }
    this.#state = to;
  }
}
