import { LIMITS } from '../api/limits';

interface Waiting {
  isSerial: boolean;
  start: () => void;
}

/**
 * The calls of one connection to a fork: so many are carried out at a time, in the order in which they came. The rest waits here, and not
 * at the engine, where the calls of other connections would wait behind it.
 */
export class ConnectionTurns {
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #isSerialRunning = false;

  /** @param isSerial the engine carries out such calls one at a time: further ones of the connection wait for its end */
  async run<T>(isSerial: boolean, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length > 0 || !this.#hasRoom(isSerial)) await this.#wait(isSerial);
    else this.#enter(isSerial);
    try {
      return await work();
    } finally {
      this.#running--;
      if (isSerial) this.#isSerialRunning = false;
      this.#next();
    }
  }

  #hasRoom(isSerial: boolean): boolean {
    return this.#running < LIMITS.callsPerConnection && !(isSerial && this.#isSerialRunning);
  }

  #enter(isSerial: boolean): void {
    this.#running++;
    if (isSerial) this.#isSerialRunning = true;
  }

  #wait(isSerial: boolean): Promise<void> {
    return new Promise((start) => this.#waiting.push({ isSerial, start }));
  }

  #next(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      if (!this.#hasRoom(next.isSerial)) return;
      this.#waiting.shift();
      this.#enter(next.isSerial);
      next.start();
    }
  }
}
