import { onAbort } from '../../kernel/async/on-abort';
import { LIMITS } from '../../api/limits';
import { ByteBudget, type ReservedBytes } from './byte-budget';
import { ConnectionTurns } from './connection-turns';

const MEBIBYTE = 1024 * 1024;

/** Limits for bytes under way; undefined: the default. */
export interface ByteLimits {
  connectionBytes?: number | undefined;
  forkBytes?: number | undefined;
  serviceBytes?: number | undefined;
}

/** @param configured `limits` of the config file */
export function byteLimits(configured: {
  connectionMegabytes?: number | undefined;
  forkMegabytes?: number | undefined;
  serviceMegabytes?: number | undefined;
}): ByteLimits {
  const bytes = (megabytes: number | undefined): number | undefined =>
    megabytes === undefined ? undefined : Math.ceil(megabytes * MEBIBYTE);
  return {
    connectionBytes: bytes(configured.connectionMegabytes),
    forkBytes: bytes(configured.forkMegabytes),
    serviceBytes: bytes(configured.serviceMegabytes),
  };
}

/** Expected size of an answer if its method was not called before, in bytes. */
const UNKNOWN = 1024 * 1024;
/** Smallest expected size: a small answer needs about as much memory for everything else. */
const MIN_BYTES = 64 * 1024;
/** Approximate memory that each answer needs besides its text. */
const OVERHEAD = 1024;
/** Methods whose answer sizes are remembered, for each fork. */
const MAX_METHODS = 200;

interface ForkBudget {
  bytes: ByteBudget;
  /** Expected sizes of answers, by method. */
  sizes: Map<string, number>;
}

/** Limits what a connection to a fork has under way. */
export class CallFlow {
  readonly turns = new ConnectionTurns();

  constructor(
    readonly bytes: ByteBudget,
    private readonly sizes: Map<string, number>,
  ) {}

  /**
   * Waits for room for the answer to a call.
   * @returns the reserved bytes: resize them to the actual answer, and release them when the client has received it
   * @throws RpcError -32005
   */
  async begin(method: string): Promise<ReservedBytes> {
    const reserved = await this.bytes.reserve(this.sizes.get(method) ?? UNKNOWN);
    return {
      resize: (bytes) => {
        reserved.resize(bytes + OVERHEAD);
        this.#recordSize(method, bytes);
      },
      release: reserved.release,
    };
  }

  /** A large answer raises the expected size at once. Each smaller one lowers it by at most half. */
  #recordSize(method: string, bytes: number): void {
    const { sizes } = this;
    if (!sizes.has(method) && sizes.size >= MAX_METHODS) return;
    sizes.set(method, Math.max(MIN_BYTES, bytes, (sizes.get(method) ?? 0) / 2));
  }
}

/** The budgets of the service, of its forks and of the connections to them. */
export class ForkBudgets {
  readonly #service: ByteBudget;
  readonly #forks = new Map<string, ForkBudget>();
  readonly #limits: Required<{ [Name in keyof ByteLimits]: number }>;

  constructor(limits: ByteLimits) {
    const {
      connectionBytes = LIMITS.bytesPerConnection * MEBIBYTE,
      forkBytes = LIMITS.bytesPerFork * MEBIBYTE,
      serviceBytes = LIMITS.bytesUnderWay * MEBIBYTE,
    } = limits;
    this.#limits = { connectionBytes, forkBytes, serviceBytes };
    this.#service = new ByteBudget('the service', serviceBytes);
  }

  /** @returns the flow of a new connection */
  connect({ forkId, deleted }: { forkId: string; deleted: AbortSignal }): CallFlow {
    let fork = this.#forks.get(forkId);
    if (!fork) {
      const bytes = new ByteBudget('the fork', this.#limits.forkBytes, this.#service);
      fork = { bytes, sizes: new Map() };
      this.#forks.set(forkId, fork);
      onAbort(deleted, () => this.#forks.delete(forkId));
    }
    const { connectionBytes } = this.#limits;
    return new CallFlow(new ByteBudget('the connection', connectionBytes, fork.bytes), fork.sizes);
  }
}
