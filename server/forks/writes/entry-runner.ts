import type { Hardfork } from '../../api/config';
import { RPC_CODES } from '../../api/rpc-codes';
import { RpcError, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import type { EngineBlobGas } from '../../execution/prefix/engine-blob-gas';
import { restoreImpersonation } from './engine-blocks';
import type { ForkChain } from './fork-chain';
import type { History } from './history';
import { wholeEntry, type JournalEntry } from './journal';
import type { OpStackFees } from './op-stack-fees';
import { sendTransactions } from './send-transactions';
import { Snapshots, type ForkSettings } from './snapshots';
import { putIntoPool } from './transaction-pool';

/** The revert requires a new engine. */
export const RESTART = Symbol('restart');

export interface EntryRunnerOptions {
  engine: RpcClient;
  /** Rules of its blocks. */
  hardfork: Hardfork;
  /** Most gas of a transaction; undefined: the block's limit alone. */
  maxGas: number | undefined;
  /** Sets the blob gas of its blocks. Undefined: the engine's, in forks whose blocks were made with it. */
  blobGas?: EngineBlobGas | undefined;
  /** Fees that the engine does not take. */
  fees: OpStackFees | undefined;
  /** Id of the default snapshot. */
  snapshotId: string;
  /** Entries of the journal so far. */
  history: History;
  /** Ends the engine, because its state differs from the journal; the next request starts another one. */
  abandon: () => Promise<void>;
}

/** Executes the entries of a journal on an engine that started at the fork point, and tracks the resulting settings. */
export class EntryRunner {
  readonly #snapshots: Snapshots;
  #automine = true;
  #interval: number | undefined;
  /** Transactions that waited when the last snapshot was taken. */
  #waiting = 0;
  /** Whether the pool is known to be empty. */
  #poolIsEmpty = true;
  #impersonated = new Set<string>();
  /** Whether the journal is being replayed: its sends are known to succeed. */
  #replaying = true;

  constructor(
    private readonly options: EntryRunnerOptions,
    private readonly chain: ForkChain,
  ) {
    this.#snapshots = new Snapshots(options.engine, options.blobGas);
  }

  get automine(): boolean {
    return this.#automine;
  }

  /** Addresses in lower case, in order of impersonation. */
  get impersonated(): readonly string[] {
    return [...this.#impersonated];
  }

  /** Seconds between blocks that are mined by time; undefined: none are. */
  get interval(): number | undefined {
    return this.#interval;
  }

  /** Field for the entry of the last snapshot: whether transactions were waiting. */
  get poolMark(): { pool?: true } {
    return this.#waiting === 0 ? {} : { pool: true };
  }

  /** Executes the entries of the journal. @returns the hashes of the transactions sent, in order */
  async replay(): Promise<string[]> {
    const { snapshotId, history } = this.options;
    await this.#take(snapshotId);
    const sent: string[] = [];
    for (const entry of history.script) {
      const result = await this.run(await wholeEntry(entry));
      if (entry.op === 'send') for (const hash of result as string[]) sent.push(hash);
    }
    await this.chain.read();
    this.#replaying = false;
    return sent;
  }

  /**
   * Executes an entry. The result depends only on the entry and the state.
   * @returns the result of the call that the entry records; RESTART if a revert requires a new engine
   * @throws RpcError, ApiError
   */
  async run(entry: JournalEntry): Promise<unknown> {
    switch (entry.op) {
      case 'call':
        this.#snapshots.changed();
        return this.#call(entry);
      case 'send':
        this.#snapshots.changed();
        return this.#send(entry.calls, entry.timestamp);
      case 'mine':
        this.#snapshots.changed();
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
    const { engine, hardfork, maxGas, abandon } = this.options;
    const { chain } = this;
    const wasEmpty = this.#poolIsEmpty;
    this.#poolIsEmpty = false;
    if (!this.#replaying) {
      const { blobGas, fees } = this.options;
      const rules = { hardfork, maxGas, blobGas, fees };
      const to = { ...rules, engine, chain, poolIsEmpty: wasEmpty, abandon };
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
      newest: this.chain.newest,
    });
    this.#poolIsEmpty = this.#waiting === 0;
  }

  /** @returns undefined if there is no such snapshot */
  planRevert(id: string): JournalEntry | undefined {
    return this.options.history.has(id) ? { op: 'revert', id } : undefined;
  }

  /**
   * Reverts to a snapshot. If the engine lost a named snapshot by a revert to an older one, a new engine is required.
   * @param inline the entry belongs to a journal whose script keeps the reverted entries
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
      throw new RpcError(RPC_CODES.internal, `the engine has lost snapshot ${id}`);
    }
    await this.#restore(snapshot.fork);
    this.chain.rewound(Number(snapshot.native.block.number) - 1, snapshot.fork.newest);
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
