import type { RpcClient } from '../../ethereum/json-rpc';
import { restoreSettings, settingsOfNextBlock, type BlockSettings } from './engine-blocks';
import type { ClockState } from './fork-clock';

/** Settings of the fork that a revert brings back, beside those of the next block. */
export interface ForkSettings {
  automine: boolean;
  clock: ClockState;
  impersonated: readonly string[];
}

/** A snapshot that the engine holds. */
export interface Snapshot {
  /** As users know it. */
  id: string;
  /** As the engine knows it; changes each time that it is taken again. */
  nativeId: string;
  block: BlockSettings;
  fork: ForkSettings;
}

/** The snapshots that an engine holds, oldest first. A revert of the engine ends those that are newer. */
export class Snapshots {
  readonly #stack: Snapshot[] = [];

  constructor(private readonly engine: RpcClient) {}

  find(id: string): Snapshot | undefined {
    return this.#stack.find((one) => one.id === id);
  }

  async take(id: string, fork: ForkSettings): Promise<void> {
    await this.#hold({ id, block: await settingsOfNextBlock(this.engine), fork });
  }

  /**
   * State, the next block's settings and an empty pool; the settings of the fork are for the caller to restore.
   * @param stays it can be used again
   * @returns false where the engine has lost it
   */
  async revert(snapshot: Snapshot, stays: boolean): Promise<boolean> {
    const { engine } = this;
    if ((await engine.request('evm_revert', [snapshot.nativeId])) !== true) return false;
    await engine.request('anvil_dropAllTransactions', []);
    await restoreSettings(engine, snapshot.block);
    this.dropFrom(snapshot);
    if (stays) await this.#hold(snapshot);
    return true;
  }

  /** Forgets a snapshot and all newer ones. */
  dropFrom(snapshot: Snapshot): void {
    this.#stack.length = this.#stack.indexOf(snapshot);
  }

  async #hold(snapshot: Omit<Snapshot, 'nativeId'>): Promise<void> {
    const nativeId = (await this.engine.request('evm_snapshot', [])) as string;
    this.#stack.push({ ...snapshot, nativeId });
  }
}
