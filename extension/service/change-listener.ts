import { setTimeout as delay } from 'node:timers/promises';
import { changeSchema, CHANGES_PATH, type Change } from '../../server/api/changes';
import { readEvents } from '../../server/api/event-source';
import { Emitter, type Disposable } from '../editor/emitter';
import type { Log } from '../editor/log';
import type { AccessProvider } from '../model/access';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Receives the service's change events between `start` and `stop`. Reconnects after a lost connection, with growing pauses.
 * Changes during a disconnection are lost: listeners must reload everything in `onDidConnect`.
 */
export class ChangeListener implements Disposable {
  readonly #connects = new Emitter<undefined>();
  readonly #changes = new Emitter<Change>();
  readonly onDidConnect = this.#connects.event;
  readonly onDidChange = this.#changes.event;
  #running: AbortController | undefined;

  /** @param pause waits between two attempts; rejects when the signal aborts */
  constructor(
    private readonly provider: Pick<AccessProvider, 'access'>,
    private readonly log: Log,
    private readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown> = (ms, signal) =>
      delay(ms, undefined, { signal }),
  ) {}

  /** Does nothing if it is already listening. */
  start(): void {
    if (this.#running !== undefined) return;
    this.#running = new AbortController();
    void this.#listen(this.#running.signal);
  }

  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
  }

  dispose(): void {
    this.stop();
  }

  async #listen(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        const isServed = await this.#readChanges(signal, () => {
          failures = 0;
        });
        if (!isServed) {
          this.log.info('the service reports no changes: it is an older version');
          return;
        }
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.log.debug(`no changes are heard: ${reason}`);
      }
      const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
      await this.pause(ms, signal).catch(() => undefined);
    }
  }

  /** Reads one connection to its end. @returns false if the service has no change stream */
  async #readChanges(signal: AbortSignal, connected: () => void): Promise<boolean> {
    const { baseUrl, accessKey } = await this.provider.access();
    const headers = { 'Access-Key': accessKey, Accept: 'text/event-stream' };
    const response = await fetch(baseUrl + CHANGES_PATH, { headers, signal });
    if (response.status === 404) return false;
    if (!response.ok) throw new Error(`the service answers HTTP ${response.status}`);
    for await (const { name, data } of readEvents(response)) {
      if (signal.aborted) break;
      if (name === 'ready') {
        connected();
        this.#connects.fire(undefined);
      } else if (name === 'change') {
        const change = changeSchema.safeParse(data);
        // A later version of the service may send other kinds of change.
        if (change.success) this.#changes.fire(change.data);
      }
    }
    return true;
  }
}
