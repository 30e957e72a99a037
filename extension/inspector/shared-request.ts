import type { ApiCallOptions } from '../model/api-client';

/** A request whose answer several loads share. It is aborted when no load waits for it any more. */
export class SharedRequest<Answer> {
  #answer: Promise<Answer> | undefined;
  #waiting = 0;
  #abort = new AbortController();
  readonly #listeners = new Set<NonNullable<ApiCallOptions['onProgress']>>();

  constructor(private readonly ask: (options: ApiCallOptions) => Promise<Answer>) {}

  async join({ signal, onProgress }: ApiCallOptions): Promise<Answer> {
    this.#waiting++;
    const leave = (): void => {
      if (--this.#waiting === 0) this.#abort.abort();
    };
    signal?.addEventListener('abort', leave, { once: true });
    if (onProgress) this.#listeners.add(onProgress);
    this.#answer ??= this.#start();
    try {
      return await this.#answer;
    } finally {
      if (onProgress) this.#listeners.delete(onProgress);
    }
  }

  /** The next load makes the request again. */
  forget(): void {
    this.#answer = undefined;
    this.#waiting = 0;
  }

  async #start(): Promise<Answer> {
    this.#abort = new AbortController();
    try {
      return await this.ask({
        signal: this.#abort.signal,
        onProgress: (progress) => {
          for (const listener of this.#listeners) listener(progress);
        },
      });
    } catch (error) {
      this.forget();
      throw error;
    }
  }
}
