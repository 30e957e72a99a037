import PQueue from 'p-queue';
import { ApiError } from '../../api/errors';
import type { Hash } from '../../api/primitives';
import type { VerificationLevel } from '../../api/verification';
import { abortable } from '../../kernel/async/abortable';
import type { ExecutedTransaction } from '../executed-transaction';
import type { Network, TraceProver } from '../ports';
import { isProvable, traceVerification } from './verify';

/** Result of a finished proof. */
export interface ProofResult {
  /** Slug of the chain. */
  readonly chain: string;
  readonly hash: Hash;
  readonly level: VerificationLevel;
  /** Why the level is not higher, as text. */
  readonly reason?: string;
  /** Error in the responses so far, as text; missing if they were right. */
  readonly corrected?: string;
}

/** @param userIds ids of the users who requested the analysis */
export type OnProof = (userIds: readonly string[], result: ProofResult) => void;

/** Limit of waiting proofs. The proof of any further analysis starts when the analysis is requested again. */
const MAX_WAITING = 200;
/** Delay before a failed proof may run again, in milliseconds. */
const RETRY_MS = 60_000;

interface RunningProof {
  /** Ids of the users who requested the analysis. */
  readonly userIds: Set<string>;
  /** Never rejects. */
  readonly end: Promise<void>;
}

/** Proves replays one after the other, in the background. */
export class Proofs {
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #running = new Map<string, RunningProof>();
  readonly #ended = new AbortController();

  constructor(
    private readonly prover: TraceProver,
    private readonly onProof: OnProof,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Starts the proof of an execution if it may raise the verification level.
   * @param key of the execution
   * @param replace receives the execution to use from now on
   * @returns the execution with the progress of its proof
   */
  start(
    key: string,
    network: Network,
    executed: ExecutedTransaction,
    replace: (executed: ExecutedTransaction) => void,
  ): ExecutedTransaction {
    const running = this.#running.get(key);
    if (running) {
      if (network.user !== undefined) running.userIds.add(network.user);
      return { ...executed, proving: { state: 'running' } };
    }
    if (!this.#isDue(network, executed)) return executed;
    const { mined, trace } = executed;
    const userIds = new Set(network.user === undefined ? [] : [network.user]);
    const finish = (proved: ExecutedTransaction): void => {
      this.#running.delete(key);
      if (this.#ended.signal.aborted) return;
      replace(proved);
      const { level, reason, corrected } = traceVerification(proved);
      this.onProof([...userIds], {
        chain: network.key,
        hash: mined.transaction.hash,
        level,
        ...(reason === undefined ? {} : { reason }),
        ...(corrected === undefined ? {} : { corrected }),
      });
    };
    const end = this.#queue
      .add(() => this.prover.prove(network, mined, trace, this.#ended.signal))
      .then(
        (proved) => {
          finish({ mined, trace: proved });
        },
        (error: unknown) => {
          const reason = error instanceof ApiError ? error.message : 'the service failed';
          finish({ mined, trace, proving: { state: 'failed', reason, at: this.now() } });
        },
      );
    this.#running.set(key, { userIds, end });
    const proving = { mined, trace, proving: { state: 'running' } } as const;
    replace(proving);
    return proving;
  }

  /** Resolves when no proof of the execution is running. @throws ApiError `cancelled` once the signal fires */
  async ended(key: string, signal: AbortSignal | undefined): Promise<void> {
    try {
      await abortable(this.#running.get(key)?.end ?? Promise.resolve(), signal);
    } catch {
      throw new ApiError('cancelled', 'the analysis was cancelled');
    }
  }

  /** Aborts all proofs. */
  async close(): Promise<void> {
    this.#ended.abort();
    await this.#queue.onIdle();
  }

  #isDue({ replayable }: Network, { mined, trace, proving }: ExecutedTransaction): boolean {
    if (!replayable || this.#ended.signal.aborted || this.#queue.size >= MAX_WAITING) return false;
    if (proving?.state === 'failed' && this.now() - proving.at < RETRY_MS) return false;
    return isProvable(trace, mined.receipt);
  }
}
