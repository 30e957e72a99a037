/** What nodes write for each other, in order for each writer. */
export interface EventTable {
  /** @param from sequence of the first event */
  append(from: number, events: readonly string[]): Promise<void>;
  /**
   * Events of other writers, oldest first for each writer.
   * @param seen the newest sequence that is known, by writer
   */
  readAfter(seen: ReadonlyMap<string, number>): Promise<readonly WrittenEvent[]>;
  /** The newest sequence of each other writer. */
  newest(): Promise<ReadonlyMap<string, number>>;
  /** Removes events that every node has read. */
  removeOld(): Promise<void>;
}

export interface WrittenEvent {
  writer: string;
  seq: number;
  event: string;
}

export interface EventRelayOptions<Event> {
  table: EventTable;
  /** What is the same for events of which only the newest counts. */
  subjectOf: (event: Event) => string;
  /** Called with the events of other nodes. */
  onEvent: (event: Event) => Promise<void>;
  /** Has the other nodes read now. Never rejects. */
  hint: () => Promise<void>;
  onFailed: (error: unknown) => void;
}

/** Events within this time after others are written together, in milliseconds. */
const GATHER_MS = 30;
/** Interval of reading without a hint, in milliseconds. */
const POLL_MS = 1_000;
const CLEAN_MS = 30_000;

/**
 * Passes events on to the other nodes through a table. A hint makes them read at once; without one they read every second. An event of
 * this node is written in the background: nothing that a client waits for waits for it, except `flush`.
 */
export class EventRelay<Event> {
  readonly #options: EventRelayOptions<Event>;
  readonly #timers: NodeJS.Timeout[];
  readonly #waiting = new Map<string, Event>();
  #seen = new Map<string, number>();
  #written = 0;
  #gathering: NodeJS.Timeout | undefined;
  /** Whether events came while others were gathered. */
  #hasGathered = false;
  /** The flush that has not begun to write. */
  #queued: Promise<void> | undefined;
  /** Resolves when the nodes have read what was written by the flushes so far. */
  #passed = Promise.resolve();
  /** Writes, and readings, one after the other. */
  #writes = Promise.resolve();
  #reads = Promise.resolve();

  private constructor(options: EventRelayOptions<Event>) {
    this.#options = options;
    this.#timers = [
      setInterval(() => {
        void this.look();
        if (this.#waiting.size > 0) void this.flush();
      }, POLL_MS).unref(),
      setInterval(() => {
        options.table.removeOld().catch(options.onFailed);
      }, CLEAN_MS).unref(),
    ];
  }

  /** Events that were written before are not read. */
  static async open<Event>(options: EventRelayOptions<Event>): Promise<EventRelay<Event>> {
    const seen = new Map(await options.table.newest());
    const relay = new EventRelay(options);
    relay.#seen = seen;
    return relay;
  }

  /** Writes an event at once, or together with others that come soon after earlier ones. */
  publish(event: Event): void {
    const subject = this.#options.subjectOf(event);
    this.#waiting.delete(subject);
    this.#waiting.set(subject, event);
    if (this.#gathering) this.#hasGathered = true;
    else this.#flushAndGather();
  }

  /** Writes the events so far. Resolves when the nodes that live have read them. Never rejects. */
  flush(): Promise<void> {
    return (this.#queued ??= this.#flushNext());
  }

  /** Reads the events of the others. Resolves when they are handled. Never rejects. */
  look(): Promise<void> {
    return (this.#reads = this.#reads.then(() => this.#readAll()));
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#gathering);
    await this.flush();
    await this.#reads;
  }

  #flushNext(): Promise<void> {
    const written = this.#writes.then(() => {
      this.#queued = undefined;
      return this.#write();
    });
    this.#writes = written.then(() => undefined);
    const read = written.then((isNew) => (isNew ? this.#options.hint() : undefined));
    // An earlier flush may have written the events, while the nodes still read them.
    this.#passed = Promise.all([this.#passed, read]).then(() => undefined);
    return this.#passed;
  }

  #flushAndGather(): void {
    void this.flush();
    this.#hasGathered = false;
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined;
      if (this.#hasGathered) this.#flushAndGather();
    }, GATHER_MS).unref();
  }

  /** @returns whether there is something to read */
  async #write(): Promise<boolean> {
    const events = [...this.#waiting];
    this.#waiting.clear();
    if (events.length === 0) return false;
    const from = this.#written + 1;
    this.#written += events.length;
    try {
      const texts = events.map(([, event]) => JSON.stringify(event));
      await this.#options.table.append(from, texts);
      return true;
    } catch (error) {
      this.#options.onFailed(error);
      // The next flush writes them, unless there are newer ones.
      for (const [subject, event] of events) {
        if (!this.#waiting.has(subject)) this.#waiting.set(subject, event);
      }
      return false;
    }
  }

  async #readAll(): Promise<void> {
    const { table, onEvent, onFailed } = this.#options;
    try {
      for (const { writer, seq, event } of await table.readAfter(this.#seen)) {
        this.#seen.set(writer, seq);
        await onEvent(JSON.parse(event) as Event);
      }
    } catch (error) {
      onFailed(error);
    }
  }
}
