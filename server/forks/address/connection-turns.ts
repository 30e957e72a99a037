import { LIMITS } from '../../api/limits';

interface Waiting {
  isSerial: boolean;
  start: () => void;
}

/**
 * Limits the calls of one connection to a fork that are executed at a time; the others wait in order of arrival. They wait here and not at
 * the engine, so that they do not delay the calls of other connections.
 */
export class ConnectionTurns {
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #isSerialRunning = false;

  /** @param isSerial whether the engine executes such calls one at a time; the connection then has one of them under way */
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
