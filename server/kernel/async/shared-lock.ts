/** Far below the 512 threads on which anvil can wait at a time. */
const MAX_SHARING = 128;

interface Waiting {
  alone: boolean;
  start: () => void;
}

/** A lock that many tasks can share, or one can own. Tasks start in order of arrival. */
export class SharedLock {
  readonly #waiting: Waiting[] = [];
  #sharing = 0;
  #isOwned = false;

  /** Runs a task concurrently with others that share the lock. */
  async share<T>(task: () => Promise<T>): Promise<T> {
    if (this.#waiting.length === 0 && this.#mayShare()) this.#sharing++;
    else await this.#wait(false);
    try {
      return await task();
    } finally {
      this.#sharing--;
      this.#next();
    }
  }

  /** Runs a task while no other task holds the lock. */
  async own<T>(task: () => Promise<T>): Promise<T> {
    if (this.#waiting.length === 0 && this.#mayOwn()) this.#isOwned = true;
    else await this.#wait(true);
    try {
      return await task();
    } finally {
      this.#isOwned = false;
      this.#next();
    }
  }

  #wait(alone: boolean): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ alone, start: resolve }));
  }

  #mayShare(): boolean {
    return !this.#isOwned && this.#sharing < MAX_SHARING;
  }

  #mayOwn(): boolean {
    return !this.#isOwned && this.#sharing === 0;
  }

  #next(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      if (!(next.alone ? this.#mayOwn() : this.#mayShare())) return;
      this.#waiting.shift();
      if (next.alone) this.#isOwned = true;
      else this.#sharing++;
      next.start();
    }
  }
}
