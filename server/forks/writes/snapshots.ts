import { requestEach, type RpcCall, type RpcClient } from '../../ethereum/json-rpc';
import { timeCalls } from './engine-blocks';
import type { ClockState } from './fork-clock';
import { requestWithNextBlock, restoreNextBlock, settingCalls, type NextBlock } from './next-block';
import { countWaiting, type PoolStatus } from './transaction-pool';

/** Settings of the fork that a revert restores, in addition to those of the next block. */
export interface ForkSettings {
  automine: boolean;
  /** Seconds between blocks that are mined by time. */
  interval: number | undefined;
  clock: ClockState;
  impersonated: readonly string[];
}

/** A snapshot in the engine. */
export interface Snapshot {
  /** Id for users. */
  id: string;
  /** The engine's id, which changes each time the snapshot is taken again. */
  nativeId: string;
  block: NextBlock;
  fork: ForkSettings;
}

const SNAPSHOT: RpcCall = { method: 'evm_snapshot', params: [] };
const DROP_ALL: RpcCall = { method: 'anvil_dropAllTransactions', params: [] };

/** The snapshots in an engine, oldest first. A revert of the engine removes newer ones. */
export class Snapshots {
  readonly #stack: Snapshot[] = [];

  constructor(private readonly engine: RpcClient) {}

  find(id: string): Snapshot | undefined {
    return this.#stack.find((one) => one.id === id);
  }

  /** @returns the number of pooled transactions, which a revert does not restore */
  async take(id: string, fork: ForkSettings): Promise<number> {
    const calls = [{ method: 'txpool_status', params: [] }, SNAPSHOT];
    const { answers, next: block } = await requestWithNextBlock(this.engine, calls);
    const [pool, nativeId] = answers;
    this.#stack.push({ id, nativeId: nativeId as string, block, fork });
    return countWaiting(pool as PoolStatus);
  }

  /**
   * Restores the state, an empty pool, and the settings and the time of the next block. The caller restores the settings of the fork.
   * @param stays the snapshot can be used again
   * @param exact false: for an `inline` entry, whose revert did not restore the excess blob gas
   * @returns `inexact` if the next block would differ from the one after the snapshot; `lost` if the engine lacks the snapshot
   */
  async revert(
    snapshot: Snapshot,
    { stays, exact }: { stays: boolean; exact: boolean },
  ): Promise<'done' | 'inexact' | 'lost'> {
    const { engine } = this;
    // The engine carries out a batch in order, except for calls that wait for the chain's node: a revert does not.
    const calls = [
      { method: 'evm_revert', params: [snapshot.nativeId] },
      ...[DROP_ALL, ...settingCalls(snapshot.block), ...timeCalls(snapshot.fork.clock)],
    ];
    const { answers, next: now } = await requestWithNextBlock(engine, calls);
    if (answers[0] !== true) return 'lost';
    if (exact && !(await restoreNextBlock(engine, snapshot.block, now))) return 'inexact';
    this.dropFrom(snapshot);
    if (stays) await this.#addSnapshot(snapshot);
    return 'done';
  }

  /** Removes a snapshot and all newer ones. */
  dropFrom(snapshot: Snapshot): void {
    this.#stack.length = this.#stack.indexOf(snapshot);
  }

  async #addSnapshot(snapshot: Omit<Snapshot, 'nativeId'>): Promise<void> {
    const [nativeId] = await requestEach(this.engine, [SNAPSHOT]);
    this.#stack.push({ ...snapshot, nativeId: nativeId as string });
  }
}
