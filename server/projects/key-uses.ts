import type { AccessKey, AccessKeyStore, Clock } from './ports';

/** Precision of the last use. A key that is used all the time is written once in this time, in milliseconds. */
const PRECISION_MS = 60_000;
/** Time in which uses are gathered, in milliseconds. */
const GATHER_MS = 10_000;

/** Records when keys were last used, without a write per request. */
export class KeyUses {
  readonly #pending = new Map<string, string>();
  /** Milliseconds of the last recorded use, by key. Only of keys that were used within `PRECISION_MS`. */
  readonly #recorded = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: Pick<AccessKeyStore, 'noteKeyUses'>,
    private readonly clock: Clock,
  ) {}

  note({ keyId, lastUsedAt }: AccessKey): void {
    const now = this.clock();
    const last = this.#recorded.get(keyId) ?? (lastUsedAt ? Date.parse(lastUsedAt) : 0);
    if (Math.abs(now.getTime() - last) < PRECISION_MS) return;
    this.#recorded.set(keyId, now.getTime());
    this.#pending.set(keyId, now.toISOString());
    this.#timer ??= setTimeout(() => {
      // What was not written is part of the next attempt.
      this.settled().catch(() => undefined);
    }, GATHER_MS).unref();
  }

  /** Settles when all uses are stored. */
  async settled(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const now = this.clock().getTime();
    for (const [keyId, time] of this.#recorded) {
      if (Math.abs(now - time) >= PRECISION_MS) this.#recorded.delete(keyId);
    }
    if (this.#pending.size === 0) return;
    const uses = new Map(this.#pending);
    await this.store.noteKeyUses(uses);
    for (const [keyId, time] of uses) {
      if (this.#pending.get(keyId) === time) this.#pending.delete(keyId);
    }
  }
}
