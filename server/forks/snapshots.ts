import type { ClockState } from './fork-clock';

/** What a revert of the engine leaves as it was, and is set by hand: of the next block. */
export interface BlockSettings {
  baseFeePerGas?: string;
  gasLimit: string;
  miner: string;
  /** Nothing sets it; EIP-4844. */
  excessBlobGas?: string;
}

/** The same, of the fork. */
export interface ForkSettings {
  automine: boolean;
  clock: ClockState;
  impersonated: readonly unknown[];
}

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

  add(snapshot: Snapshot): void {
    this.#stack.push(snapshot);
  }

  find(id: string): Snapshot | undefined {
    return this.#stack.find((one) => one.id === id);
  }

  /** Forgets a snapshot and all newer ones. */
  dropFrom(snapshot: Snapshot): void {
    this.#stack.length = this.#stack.indexOf(snapshot);
  }
}
