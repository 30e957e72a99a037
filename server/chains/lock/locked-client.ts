import { RpcError, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { meaningOf, type ErrorMeaning } from '../../evm/forms/endpoint-errors';
import type { LockedAnswer } from './lock';
import { lockedText } from './locked-call';

/** Errors that a node gives again to the same call. */
const LASTING: ReadonlySet<ErrorMeaning> = new Set(['executed', 'invalid', 'missingMethod']);

export interface LockedClientOptions {
  /** Recorded answers by `lockedText`. */
  answers: ReadonlyMap<string, LockedAnswer>;
  /** Answers what is not recorded; undefined: nothing does. */
  upstream: RpcClient | undefined;
  /** @returns the error for a call that nothing answers */
  missing: (call: RpcCall) => RpcError;
}

/** A chain's node whose answers are recorded, and which answers from the record first. */
export class LockedClient implements RpcClient {
  /** Answers that were asked for, by `lockedText`. */
  readonly used = new Map<string, LockedAnswer>();
  /** Number of answers that were not in the record. */
  added = 0;
  readonly #running = new Map<string, Promise<LockedAnswer>>();

  constructor(private readonly options: LockedClientOptions) {}

  async request(method: string, params: readonly unknown[]): Promise<unknown> {
    const { outcome } = await this.#answer({ method, params });
    if ('value' in outcome) return outcome.value;
    const { code, message, data } = outcome.error;
    throw new RpcError(code, message, data);
  }

  requestAll(calls: readonly RpcCall[]): Promise<PromiseSettledResult<unknown>[]> {
    return Promise.allSettled(calls.map(({ method, params }) => this.request(method, params)));
  }

  async #answer(call: RpcCall): Promise<LockedAnswer> {
    const text = lockedText(call);
    const used = this.used.get(text);
    if (used) return used;
    const kept = this.options.answers.get(text);
    if (kept) {
      this.used.set(text, kept);
      return kept;
    }
    let running = this.#running.get(text);
    if (!running) {
      running = this.#record(text, call).finally(() => this.#running.delete(text));
      this.#running.set(text, running);
    }
    return running;
  }

  /** @throws RpcError for a call that nothing answers; errors that may not come again, which are not recorded */
  async #record(text: string, call: RpcCall): Promise<LockedAnswer> {
    const { upstream, missing } = this.options;
    if (!upstream) throw missing(call);
    const answer: LockedAnswer = { call, outcome: await outcomeOf(upstream, call) };
    this.used.set(text, answer);
    this.added++;
    return answer;
  }
}

async function outcomeOf(upstream: RpcClient, call: RpcCall): Promise<LockedAnswer['outcome']> {
  try {
    return { value: await upstream.request(call.method, call.params) };
  } catch (error) {
    if (!(error instanceof RpcError) || !LASTING.has(meaningOf(error, call.method))) throw error;
    const { code, message, data } = error;
    return { error: { code, message, ...(data === undefined ? {} : { data }) } };
  }
}
