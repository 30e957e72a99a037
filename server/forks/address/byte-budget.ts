import { RpcError } from '../../evm/forms/json-rpc';
import { RPC_CODES } from '../../api/rpc-codes';

/** Bytes that are held in a budget until they are released. */
export interface ReservedBytes {
  /** Sets the actual size, even if it exceeds the budget: the bytes exist already. */
  resize: (bytes: number) => void;
  /** Can be called more than once. */
  release: () => void;
}

export const NO_BYTES: ReservedBytes = { resize: () => undefined, release: () => undefined };

interface Waiting {
  readonly budget: ByteBudget;
  readonly bytes: number;
  readonly begin: (reserved: ReservedBytes) => void;
}

/**
 * How long an answer waits while other connections hold the bytes, in milliseconds. It waits without limit for answers of its own
 * connection.
 */
const WAIT_MS = 10_000;

/**
 * Bounds the bytes of requests and answers that are under way in a scope: a connection, its fork, the service. Answers wait for room in
 * order of arrival. An answer that is larger than a limit is admitted when no other answer is under way.
 */
export class ByteBudget {
  #reserved = 0;
  /** Bytes of requests, which are also counted in `#held`. */
  #requested = 0;
  /** Answers under way. */
  #answers = 0;
  /** Waiting answers of the outermost scope, shared by all scopes inside it. */
  readonly #waiting: Waiting[];
  /** This scope and those around it, from the inside. */
  readonly #scopes: readonly ByteBudget[];

  /**
   * @param scope name for messages, such as `the fork`
   * @param outer the scope that contains this one
   */
  constructor(
    private readonly scope: string,
    private readonly limit: number,
    private readonly outer?: ByteBudget,
  ) {
    this.#waiting = outer ? outer.#waiting : [];
    this.#scopes = [this, ...(outer ? outer.#scopes : [])];
  }

  /**
   * Counts the bytes of a request, which is in memory already. Only other requests can make it fail: if answers fill a scope, the answer to
   * this request waits for its turn.
   * @throws RpcError -32005
   */
  take(bytes: number): ReservedBytes {
    const full = this.#scopes.find((one) => one.#requested + bytes > one.limit);
    if (full) throw full.#exceeded();
    return this.#reserveBytes(bytes, 'request');
  }

  /**
   * Waits for room for an answer.
   * @param bytes expected size
   * @throws RpcError -32005 if there is no room in time
   */
  async reserve(bytes: number): Promise<ReservedBytes> {
    return this.#waiting.length > 0 || this.#full(bytes)
      ? this.#wait(bytes)
      : this.#reserveBytes(bytes, 'answer');
  }

  #wait(bytes: number): Promise<ReservedBytes> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        budget: this,
        bytes,
        begin: (reserved) => {
          clearInterval(timer);
          resolve(reserved);
        },
      };
      const timer = setInterval(() => {
        const full = this.#full(bytes) ?? this;
        if (full === this && this.outer) return;
        clearInterval(timer);
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(full.#exceeded());
        this.#admit();
      }, WAIT_MS).unref();
      this.#waiting.push(waiting);
      this.#admit();
    });
  }

  /** Admits the waiting answers that fit. No answer overtakes another one in a full scope. */
  #admit(): void {
    const blocked = new Set<ByteBudget>();
    for (const waiting of [...this.#waiting]) {
      const { budget, bytes } = waiting;
      const full = budget.#scopes.find((one) => blocked.has(one) || !one.#fits(bytes));
      if (full) {
        blocked.add(full);
        if (!full.outer) return;
        continue;
      }
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      waiting.begin(budget.#reserveBytes(bytes, 'answer'));
    }
  }

  #full(bytes: number): ByteBudget | undefined {
    return this.#scopes.find((one) => !one.#fits(bytes));
  }

  #fits(bytes: number): boolean {
    return this.#reserved + bytes <= this.limit || this.#answers === 0;
  }

  #reserveBytes(bytes: number, kind: 'request' | 'answer'): ReservedBytes {
    let reserved = 0;
    const add = (change: number, count: number): void => {
      reserved += change;
      for (const one of this.#scopes) {
        one.#reserved += change;
        if (kind === 'request') one.#requested += change;
        else one.#answers += count;
      }
    };
    add(bytes, 1);
    let isReserved = true;
    return {
      resize: (size) => {
        if (isReserved) add(size - reserved, 0);
      },
      release: () => {
        if (!isReserved) return;
        isReserved = false;
        add(-reserved, -1);
        if (this.#waiting.length > 0) this.#admit();
      },
    };
  }

  #exceeded(): RpcError {
    return new RpcError(
      RPC_CODES.limitExceeded,
      `${this.scope} has too many bytes of pending requests and answers; accepted: up to ${this.limit}; read the answers, or request less at a time`,
    );
  }
}
