import { ApiError, type ApiErrorName } from '../../api/errors';
import { RpcError, type RpcCall } from '../../evm/forms/json-rpc';
import { callIdentity } from './call-identity';

/** What a node answered, in a form for JSON: a result, an error object of the node, or an error of the client. */
export type KeptOutcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | { readonly failure: { readonly kind: string; readonly message: string } };

/** A call with what was answered. */
export interface KeptAnswer extends RpcCall {
  readonly outcome: KeptOutcome;
}

/** Failures that stay: asking again gives the same. */
const LASTING: ReadonlySet<string> = new Set<ApiErrorName>(['upstreamLacksData']);

/** @returns undefined for an error that passes: a deadline, a cancellation, a node that does not answer */
export function keptError(error: unknown): KeptOutcome | undefined {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return { error: { code, message, ...(data === undefined ? {} : { data }) } };
  }
  if (!(error instanceof ApiError) || !LASTING.has(error.kind)) return undefined;
  return { failure: { kind: error.kind, message: error.message } };
}

/** @throws RpcError, ApiError as the node's client did */
export function outcomeOf(outcome: KeptOutcome): unknown {
  if ('result' in outcome) return outcome.result;
  if ('error' in outcome) {
    const { code, message, data } = outcome.error;
    throw new RpcError(code, message, data);
  }
  const { kind, message } = outcome.failure;
  throw new ApiError(LASTING.has(kind) ? (kind as ApiErrorName) : 'upstreamLacksData', message);
}

/** Answers of a chain's node by call. */
export class KeptAnswers {
  readonly #byCall = new Map<string, KeptAnswer>();
  /** Numbers of blocks by hash, as far as the answers contain them. */
  readonly #numbers = new Map<string, string>();
  /** Hashes of the transactions of those blocks. */
  readonly #transactions = new Set<unknown>();

  constructor(answers: Iterable<KeptAnswer> = []) {
    const all = [...answers];
    for (const answer of all) this.#learn(answer);
    for (const answer of all) this.#byCall.set(this.#identity(answer), answer);
  }

  get(call: RpcCall): KeptOutcome | undefined {
    return this.#byCall.get(this.#identity(call))?.outcome;
  }

  /** Whether a kept block has the transaction. */
  hasInBlock(hash: unknown): boolean {
    return this.#transactions.has(hash);
  }

  /** The first answer to a call stays. */
  add(answer: KeptAnswer): void {
    this.#learn(answer);
    const identity = this.#identity(answer);
    if (!this.#byCall.has(identity)) this.#byCall.set(identity, answer);
  }

  /** In an order that depends on the calls alone. Calls that ask for the same in other words have one entry. */
  list(): KeptAnswer[] {
    const known = new KeptAnswers(this.#byCall.values());
    return [...known.#byCall].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, answer]) => answer);
  }

  #identity(call: RpcCall): string {
    return callIdentity(call, (hash) => this.#numbers.get(hash));
  }

  #learn({ method, outcome }: KeptAnswer): void {
    if (!method.startsWith('eth_getBlockBy') || !('result' in outcome)) return;
    const { number, hash, transactions } = (outcome.result ?? {}) as Record<string, unknown>;
    for (const one of Array.isArray(transactions) ? (transactions as unknown[]) : []) {
      this.#transactions.add((one as { hash?: unknown } | null)?.hash ?? one);
    }
    if (typeof number === 'string' && typeof hash === 'string') {
      this.#numbers.set(hash.toLowerCase(), number);
    }
  }
}
