import { ApiError } from '../../api/errors';

/** The right of a node to change a fork. The database accepts changes only under the newest epoch, before the lease expires. */
export interface Lease {
  readonly forkId: string;
  /** Increases with each lease of the fork. */
  readonly epoch: number;
  /** Aborted before another node can get a lease. */
  readonly lost: AbortSignal;
}

/** The leases of all nodes. Times are of the clock of the table, not of a node. */
export interface LeaseTable {
  /**
   * Takes a lease, if no other node has one.
   * @returns its epoch, or the seconds until the lease of the other node expires
   * @throws ApiError `databaseUnavailable`
   */
  take(forkId: string): Promise<{ epoch: number } | { freeIn: number }>;
  /** Extends leases of this node. @returns ids of the forks whose lease is still this node's */
  renew(leases: readonly { forkId: string; epoch: number }[]): Promise<readonly string[]>;
  release(lease: { forkId: string; epoch: number }): Promise<void>;
}

export interface LeaseKeeperOptions {
  table: LeaseTable;
  /** Duration of a lease. */
  leaseSeconds: number;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  onRenewalFailed: (error: unknown) => void;
}

interface HeldLease extends Lease {
  end: AbortController;
  /** When the node stops using the lease: milliseconds of its own clock. */
  deadline: number;
}

/** Shares of a lease's duration: when it is renewed, and what the node leaves unused, to end its engine in that time. */
const RENEW_AFTER = 1 / 3;
const MARGIN = 1 / 5;
/** Looks at the leases per duration. */
const CHECKS = 20;

/**
 * Holds the leases of a node. A lease is counted from before its renewal was sent, so it ends here before it expires in the table, whatever
 * the clocks show. While the database does not answer, leases run out.
 */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  readonly #held = new Map<string, HeldLease>();
  /** The newest lease that this node had of each fork. */
  readonly #epochs = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #renewing = false;
  #renewed = -Infinity;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      this.#check();
    }, this.#durationMs / CHECKS).unref();
  }

  /** @throws ApiError `forkElsewhere`, `databaseUnavailable` */
  async hold(forkId: string): Promise<Lease> {
    const { now, table } = this.#options;
    const sent = now();
    const taken = await this.#inTime(forkId, table.take(forkId));
    if (!('epoch' in taken)) {
      const retryAfter = Math.max(1, Math.ceil(taken.freeIn));
      throw new ApiError(
        'forkElsewhere',
        `another node runs fork ${forkId}; try again in ${retryAfter} s`,
        { retryAfter },
      );
    }
    const { epoch } = taken;
    const end = new AbortController();
    const lease = { forkId, epoch, end, lost: end.signal, deadline: this.#deadline(sent) };
    this.#held.get(forkId)?.end.abort();
    this.#held.set(forkId, lease);
    this.#epochs.set(forkId, epoch);
    return lease;
  }

  /** A lease that the table gives later would be over: it is given back. @throws ApiError `databaseUnavailable` */
  async #inTime(forkId: string, taking: ReturnType<LeaseTable['take']>): typeof taking {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(
          new ApiError(
            'databaseUnavailable',
            'the database of the service does not give the fork to this node; try again in 2 s',
            { retryAfter: 2 },
          ),
        );
        taking
          .then((taken) =>
            'epoch' in taken
              ? this.#options.table.release({ forkId, epoch: taken.epoch })
              : undefined,
          )
          .catch(() => undefined); // it expires
      }, this.#deadline(0));
    });
    try {
      return await Promise.race([taking, over]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whether this node may change the fork now. */
  holds(forkId: string): boolean {
    const lease = this.#held.get(forkId);
    return lease !== undefined && lease.deadline > this.#options.now();
  }

  /** Ids of the forks that this node may change. */
  get held(): readonly string[] {
    return [...this.#held.keys()];
  }

  /** Epoch of the newest lease that this node had of a fork; undefined: it had none since its start. */
  lastEpoch(forkId: string): number | undefined {
    return this.#epochs.get(forkId);
  }

  /** Gives a lease up. Never rejects: a lease that cannot be released expires. */
  async release({ forkId, epoch }: Lease): Promise<void> {
    if (this.#held.get(forkId)?.epoch === epoch) this.#held.delete(forkId);
    await this.#options.table.release({ forkId, epoch }).catch(() => undefined);
  }

  /** Ends the renewals. */
  close(): void {
    clearInterval(this.#timer);
  }

  get #durationMs(): number {
    return this.#options.leaseSeconds * 1000;
  }

  #deadline(sent: number): number {
    return sent + this.#durationMs * (1 - MARGIN);
  }

  #check(): void {
    const now = this.#options.now();
    for (const lease of this.#held.values()) if (lease.deadline <= now) this.#lose(lease);
    if (this.#renewing || this.#held.size === 0) return;
    if (now - this.#renewed < this.#durationMs * RENEW_AFTER) return;
    this.#renewing = true;
    this.#renewed = now;
    void this.#renew(now)
      .catch((error: unknown) => {
        this.#options.onRenewalFailed(error);
      })
      .finally(() => (this.#renewing = false));
  }

  async #renew(sent: number): Promise<void> {
    const leases = [...this.#held.values()];
    const kept = new Set(await this.#options.table.renew(leases));
    for (const lease of leases) {
      if (kept.has(lease.forkId)) lease.deadline = this.#deadline(sent);
      else this.#lose(lease);
    }
  }

  #lose(lease: HeldLease): void {
    if (this.#held.get(lease.forkId) === lease) this.#held.delete(lease.forkId);
    lease.end.abort();
  }
}
