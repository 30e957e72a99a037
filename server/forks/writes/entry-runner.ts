import type { Hardfork } from '../../api/config';
import { RpcError, type RpcCall, type RpcClient } from '../../ethereum/json-rpc';
import { restoreImpersonation } from './engine-blocks';
import type { ForkChain } from './fork-chain';
import type { History } from './history';
import { wholeEntry, type JournalEntry } from './journal';
import { sendTransactions } from './send-transactions';
import { Snapshots, type ForkSettings } from './snapshots';
import { putIntoPool } from './transaction-pool';

/** The revert is for a new engine to do. */
export const RESTART = Symbol('restart');

export interface EntryRunnerOptions {
  engine: RpcClient;
  /** Rules of its blocks. */
  hardfork: Hardfork;
  /** Id of the default snapshot. */
  snapshotId: string;
  /** What was done on the fork before. */
  history: History;
  /** Ends the engine, which is not what the journal says any more; the next request starts another. */
  abandon: () => Promise<void>;
}

/** Carries out the entries of a journal on an engine that stood at the fork point, and knows the settings that follow from them. */
export class EntryRunner {
  readonly #snapshots: Snapshots;
  #automine = true;
  #interval: number | undefined;
  /** Transactions that waited when the last snapshot was taken. */
  #waiting = 0;
  /** No transaction waits; false where that is not known. */
  #poolIsEmpty = true;
  #impersonated = new Set<string>();
  /** The journal is being carried out: its sends are known to succeed. */
  #replaying = true;

  constructor(
    private readonly options: EntryRunnerOptions,
    private readonly chain: ForkChain,
  ) {
    this.#snapshots = new Snapshots(options.engine);
  }

  get automine(): boolean {
    return this.#automine;
  }

  /** Addresses in lower case, in the order in which they came. */
  get impersonated(): readonly string[] {
    return [...this.#impersonated];
  }

  /** Seconds between blocks that are to be mined by time; undefined: none are. */
  get interval(): number | undefined {
    return this.#interval;
  }

  /** Of the snapshot that was taken last: whether transactions waited, as its entry says it. */
  get poolMark(): { pool?: true } {
    return this.#waiting === 0 ? {} : { pool: true };
  }

  /** What becomes of an entry is known before it is carried out. */
  isForeseen({ op }: JournalEntry): boolean {
    return op === 'revert' || (op === 'snapshot' && this.#poolIsEmpty);
  }

  /** Does again what was done on the fork before. */
  async replay(): Promise<void> {
    const { snapshotId, history } = this.options;
    await this.#take(snapshotId);
    for (const entry of history.script) await this.run(await wholeEntry(entry));
    await this.chain.read();
    this.#replaying = false;
  }

  /**
   * Depends on nothing but the entry and the state.
   * @returns what the call that it stands for is answered; RESTART where a revert is for a new engine to do
   * @throws RpcError, ApiError
   */
  async run(entry: JournalEntry): Promise<unknown> {
    switch (entry.op) {
      case 'call':
        return this.#call(entry);
      case 'send':
        return this.#send(entry.calls, entry.timestamp);
      case 'mine':
        await this.chain.mine(entry.blocks, entry.timestamp, entry.interval);
        return null;
      case 'automine':
        this.#automine = entry.on;
        if (entry.on) this.#interval = undefined;
        return null;
      case 'interval':
        this.#automine = false;
        this.#interval = entry.seconds === 0 ? undefined : entry.seconds;
        return null;
      case 'snapshot':
        await this.#take(entry.id);
        return entry.id;
      case 'keep':
        await this.#take(entry.snapshot.id);
        return entry.snapshot;
      case 'revert':
        return this.#revert(entry.id, entry.inline === true);
      case 'forget':
        return null;
    }
  }

  async #call({ method, params }: RpcCall): Promise<unknown> {
    const result = await this.options.engine.request(method, params);
    this.chain.touched();
    const { clock } = this.chain;
    const [first] = params;
    const value = Number(first);
    if (method === 'evm_increaseTime') clock.increase(value);
    else if (method === 'evm_setNextBlockTimestamp') clock.setNext(value);
    else if (method === 'evm_setTime') clock.set(value);
    else if (method === 'anvil_setBlockTimestampInterval') clock.setInterval(value);
    else if (method === 'anvil_removeBlockTimestampInterval') clock.setInterval(undefined);
    else if (method === 'anvil_impersonateAccount')
      this.#impersonated.add(String(first).toLowerCase());
    else if (method === 'anvil_stopImpersonatingAccount')
      this.#impersonated.delete(String(first).toLowerCase());
    return result;
  }

  async #send(calls: readonly RpcCall[], timestamp: number | undefined): Promise<string[]> {
    const { engine, hardfork, abandon } = this.options;
    const { chain } = this;
    const wasEmpty = this.#poolIsEmpty;
    this.#poolIsEmpty = false;
    if (!this.#replaying) {
      const to = { engine, chain, hardfork, poolIsEmpty: wasEmpty, abandon };
      const sent = await sendTransactions(to, calls, timestamp);
      this.#poolIsEmpty = wasEmpty && timestamp !== undefined && chain.holds(sent);
      return sent;
    }
    const hashes = await putIntoPool(engine, calls);
    if (timestamp !== undefined) await chain.mineOne(timestamp);
    return hashes;
  }

  async #take(id: string): Promise<void> {
    this.#waiting = await this.#snapshots.take(id, {
      automine: this.#automine,
      interval: this.#interval,
      clock: this.chain.clock.state,
      impersonated: this.impersonated,
    });
    this.#poolIsEmpty = this.#waiting === 0;
  }

  /** @returns undefined where there is no such snapshot */
  planRevert(id: string): JournalEntry | undefined {
    return this.options.history.has(id) ? { op: 'revert', id } : undefined;
  }

  /**
   * The engine has lost a named snapshot after a revert to an older one: then the revert is for a new engine to do.
   * @param inline the entry is of a journal whose script keeps what the revert took back
   */
  async #revert(id: string, inline: boolean): Promise<true | typeof RESTART> {
    const { snapshotId, history } = this.options;
    const snapshot = this.#snapshots.find(id);
    if (!snapshot && !inline) return RESTART;
    this.chain.touched();
    const stays = this.#replaying || id === snapshotId || history.isNamed(id);
    const outcome = snapshot
      ? await this.#snapshots.revert(snapshot, { stays, exact: !inline })
      : 'lost';
    if (outcome === 'inexact') return RESTART;
    this.#poolIsEmpty = true;
    if (!snapshot || outcome === 'lost') {
      throw new RpcError(-32603, `the engine has lost snapshot ${id}`);
    }
    await this.#restore(snapshot.fork);
    this.chain.rewound(Number(snapshot.block.number) - 1);
    return true;
  }

  async #restore({ automine, interval, clock, impersonated }: ForkSettings): Promise<void> {
    const { engine } = this.options;
    const before = new Set(impersonated);
    await restoreImpersonation(engine, this.#impersonated, before);
    this.#automine = automine;
    this.#interval = interval;
    this.chain.clock.restore(clock);
    this.#impersonated = before;
  }
}
