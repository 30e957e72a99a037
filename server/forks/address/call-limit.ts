import { RpcError } from '../../evm/forms/json-rpc';
import { RPC_CODES } from '../../api/rpc-codes';

const WINDOW_MS = 60_000;

/** Limits the JSON-RPC calls of a client address per minute. */
export class CallLimit {
  readonly #counts = new Map<string, number>();
  #windowEnd = 0;

  /** @param perMinute undefined: no limit */
  constructor(
    readonly perMinute: number | undefined,
    private readonly now: () => number = Date.now,
  ) {}

  /** Counts calls. @returns seconds after which the client may ask again; undefined if the calls are allowed */
  take(address: string | undefined, calls: number): number | undefined {
    if (this.perMinute === undefined) return undefined;
    const now = this.now();
    if (now >= this.#windowEnd) {
      this.#counts.clear();
      this.#windowEnd = now + WINDOW_MS;
    }
    const key = address ?? '';
    const count = (this.#counts.get(key) ?? 0) + calls;
    this.#counts.set(key, count);
    return count <= this.perMinute ? undefined : Math.ceil((this.#windowEnd - now) / 1000);
  }
}

/** @param seconds to wait */
export const tooManyCalls = ({ perMinute = 0 }: CallLimit, seconds: number): RpcError =>
  new RpcError(
    RPC_CODES.limitExceeded,
    `more than ${perMinute} calls per minute; try again in ${seconds} s`,
  );
