/** Entries that wait for a sink. Of more, the oldest are lost. */
const MAX_WAITING = 1_000;
/** Pause after a failure, in milliseconds. */
const RETRY_MS = 1_000;
/** How long a service that ends waits for its sinks, in milliseconds. */
const CLOSE_MS = 1_000;

/** Sends texts in their order. Rejects if it is not certain that all were sent. */
export type Send = (texts: readonly string[]) => Promise<void>;

export interface SinkEvents {
  /** Called once until texts are sent again. */
  failed: (error: unknown) => void;
  /** @param lost number of texts that had no room */
  works: (lost: number) => void;
}

/** Texts on their way to a sink, which may fail for a while. */
export class SinkQueue {
  #waiting: string[] = [];
  #sending: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #lost = 0;
  #hasFailed = false;

  constructor(
    private readonly send: Send,
    private readonly events: SinkEvents,
    private readonly retryMs = RETRY_MS,
  ) {}

  /** Never throws, and does not wait. */
  add(text: string): void {
    this.#waiting.push(text);
    if (this.#waiting.length > MAX_WAITING) {
      this.#waiting.shift();
      this.#lost++;
    }
    if (!this.#retry) this.#start();
  }

  /** Sends what waits, once more, for a short time. */
  async close(): Promise<void> {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#start();
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    });
    await Promise.race([this.#sending, over]);
    clearTimeout(timer);
    clearTimeout(this.#retry);
  }

  #start(): void {
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined));
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const texts = this.#waiting;
      this.#waiting = [];
      try {
        await this.send(texts);
      } catch (error) {
        this.#keep(texts);
        if (!this.#hasFailed) this.events.failed(error);
        this.#hasFailed = true;
        this.#retry = setTimeout(() => {
          this.#retry = undefined;
          this.#start();
        }, this.retryMs).unref();
        return;
      }
      if (this.#hasFailed) this.events.works(this.#lost);
      this.#hasFailed = false;
      this.#lost = 0;
    }
  }

  #keep(texts: readonly string[]): void {
    const all = [...texts, ...this.#waiting];
    this.#lost += Math.max(0, all.length - MAX_WAITING);
    this.#waiting = all.slice(-MAX_WAITING);
  }
}
