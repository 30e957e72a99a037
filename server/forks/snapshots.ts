/** What a revert of the engine leaves as it was, and is set by hand: of the next block. */
export interface BlockSettings {
  baseFeePerGas?: string;
  gasLimit: string;
  miner: string;
}

export interface Snapshot {
  /** As users know it. */
  id: string;
  /** As the engine knows it; changes each time that it is taken again. */
  nativeId: string;
  settings: BlockSettings;
}

/**
 * The snapshots of a fork, oldest first. The default one survives a revert to it; the others are consumed by it, and by one to an
 * earlier snapshot, as in anvil. Ids are never given twice.
 */
export class Snapshots {
  readonly #stack: Snapshot[] = [];
  #next = 0;

  /** The id that `evm_snapshot` gives next. */
  nextId(): string {
    return `0x${this.#next.toString(16)}`;
  }

  add(snapshot: Snapshot): void {
    if (snapshot.id === this.nextId()) this.#next++;
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
