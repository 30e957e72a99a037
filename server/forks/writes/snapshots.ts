import type { RpcCall, RpcClient } from '../../evm/forms/json-rpc';
import type { RpcBlockHeader } from '../../evm/forms/types';
import type { EngineBlobGas } from '../../execution/prefix/engine-blob-gas';
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
  /** The newest block, if it is known. */
  newest: RpcBlockHeader | undefined;
}

/** A snapshot in the engine, which several snapshots of the same state share. */
interface NativeSnapshot {
  /** The engine's id, which changes each time the snapshot is taken again. */
  id: string;
  block: NextBlock;
  /** Number of pooled transactions, which a revert does not restore. */
  waiting: number;
}

export interface Snapshot {
  /** Id for users. */
  id: string;
  native: NativeSnapshot;
  fork: ForkSettings;
}

const SNAPSHOT: RpcCall = { method: 'evm_snapshot', params: [] };
const DROP_ALL: RpcCall = { method: 'anvil_dropAllTransactions', params: [] };

/** The snapshots in an engine, oldest first. A revert of the engine removes newer ones. */
export class Snapshots {
  readonly #stack: Snapshot[] = [];
  /** Snapshot of the present state, if there is one. */
  #present: NativeSnapshot | undefined;
  /**
   * Whether a revert takes a snapshot as well, because test suites take one after each revert. The engine keeps unused ones, so it is taken
   * only if the one after the last revert was used.
   */
  #takesAhead = false;
  #reverted = false;

  constructor(
    private readonly engine: RpcClient,
    private readonly blobGas: EngineBlobGas | undefined,
  ) {}

  find(id: string): Snapshot | undefined {
    return this.#stack.find((one) => one.id === id);
  }

  /** Call this before the engine's state or settings change in another way than by a revert. */
  changed(): void {
    this.#present = undefined;
    if (this.#reverted) this.#takesAhead = false;
    this.#reverted = false;
  }

  /** @returns the number of pooled transactions, which a revert does not restore */
  async take(id: string, fork: ForkSettings): Promise<number> {
    const native = (this.#present ??= await this.#takeNative());
    this.#stack.push({ id, native, fork });
    this.#takesAhead ||= this.#reverted;
    this.#reverted = false;
    return native.waiting;
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
    const { native } = snapshot;
    this.#present = undefined;
    this.dropFrom(snapshot);
    const isTaken = stays || this.#takesAhead || this.#stack.some((one) => one.native === native);
    // The engine carries out a batch in order, except for calls that wait for the chain's node: a revert does not.
    const calls = [
      { method: 'evm_revert', params: [native.id] },
      ...(isTaken ? [SNAPSHOT] : []),
      DROP_ALL,
      ...settingCalls(native.block),
      ...timeCalls(snapshot.fork.clock),
    ];
    const { answers, next: now } = await requestWithNextBlock(engine, calls);
    if (answers[0] !== true) return 'lost';
    if (exact && !(await restoreNextBlock(engine, native.block, now))) return 'inexact';
    // Below every target, the price is the lowest, which a revert leaves.
    if (BigInt(native.block.excessBlobGas ?? '0x0') > 0n) {
      await this.blobGas?.enterHead(native.block);
    }
    this.#reverted = true;
    if (!isTaken) return 'done';
    native.id = answers[1] as string;
    if (stays) this.#stack.push(snapshot);
    // The pool is empty now.
    if (exact && native.waiting === 0) this.#present = native;
    return 'done';
  }

  /** Removes a snapshot and all newer ones. */
  dropFrom(snapshot: Snapshot): void {
    this.#stack.length = this.#stack.indexOf(snapshot);
  }

  async #takeNative(): Promise<NativeSnapshot> {
    const calls = [{ method: 'txpool_status', params: [] }, SNAPSHOT];
    const { answers, next: block } = await requestWithNextBlock(this.engine, calls);
    const [pool, id] = answers;
    return { id: id as string, block, waiting: countWaiting(pool as PoolStatus) };
  }
}
