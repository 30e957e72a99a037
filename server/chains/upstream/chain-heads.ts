/** A node that knew a block this long ago, while another does not know it now, is ahead of it. */
const LAG_MS = 12_000;
const MAX_RECORDS = 64;

/** The newest blocks of a chain as its endpoints report them. Tells a node that lags behind from blocks that have just been made. */
export class ChainHeads {
  /** Rising numbers, and when each was first reported, in Unix milliseconds. */
  #records: { number: bigint; at: number }[] = [];

  /** Records the newest block of an endpoint. @returns whether another endpoint knew a newer one for a while */
  isLagging(number: bigint, now: number): boolean {
    if (number > (this.#records.at(-1)?.number ?? -1n)) {
      this.#records.push({ number, at: now });
      if (this.#records.length > MAX_RECORDS) this.#records.shift();
    }
    return this.#records.some((one) => one.number > number && one.at <= now - LAG_MS);
  }

  clear(): void {
    this.#records = [];
  }
}
