import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';
import { RpcError, type RpcCall } from '../../evm/forms/json-rpc';
import { meaningOf, type ErrorMeaning } from '../../evm/forms/endpoint-errors';
import { redactedData } from './redact';
import { TransientFailure, type Reply } from './transport';

/** An error of a node, and what it says. */
export interface NodeFailure {
  error: RpcError;
  meaning: Exclude<ErrorMeaning, 'busy' | 'transient'>;
}

/** Outcome of one call of an answered request. */
export type Outcome =
  { result: unknown; isPartial?: boolean } | NodeFailure | { transient: TransientFailure };

type Redact = (text: string) => string;

/** Meanings that the words of a gateway decide, whatever its HTTP status. */
const BY_WORDS: ReadonlySet<ErrorMeaning> = new Set<ErrorMeaning>([
  'refused',
  'busy',
  'tooLarge',
  'missingMethod',
  'missingState',
]);
/** HTTP statuses of a key or plan that does not permit the call (RFC 9110 §15.5). */
const REFUSALS: ReadonlySet<number> = new Set([401, 402, 403]);
/** Statuses of gateways whose node failed. */
const OUTAGES: ReadonlySet<number> = new Set([408, 502, 503, 504]);
/** Statuses with which endpoints refuse a batch. */
const BATCH_REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);

/**
 * The outcomes of calls.
 * @param redact removes possible keys of the endpoint
 * @param now Unix milliseconds
 * @throws TransientFailure if the reply answers no call
 */
export function outcomesOf(
  calls: readonly RpcCall[],
  firstId: number,
  reply: Reply,
  redact: Redact,
  now: number,
): Outcome[] {
  const isBatch = calls.length > 1;
  if (reply.isTooLong === true) {
    // A shorter batch has a shorter answer.
    if (isBatch) throw new TransientFailure(TOO_LONG, { batchRefused: true });
    const message = `${calls[0]?.method ?? ''}: ${TOO_LONG}`;
    return [{ error: new RpcError(RPC_CODES.limitExceeded, message), meaning: 'tooLarge' }];
  }
  const { status, answer } = reply;
  if (status === 429 || !isAnswer(answer)) return gatewayOutcomes(calls, reply, redact, now);
  // Some nodes send JSON-RPC errors with status 400 or 500. These are answers.
  if (!isBatch) return [outcomeOf(calls[0], answer, status, redact)];
  return batchOutcomes(calls, firstId, reply, redact);
}

const TOO_LONG = `the answer is longer than ${LIMITS.answer} bytes; request less`;

/** An array, or a message of JSON-RPC. An error as a text is a gateway's. */
function isAnswer(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value) || 'result' in value) return true;
  const { error } = value as { error?: unknown };
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}

function outcomeOf(
  call: RpcCall | undefined,
  answer: unknown,
  status: number,
  redact: Redact,
): Outcome {
  if (typeof answer !== 'object' || answer === null) {
    return { transient: new TransientFailure('the answer is not JSON-RPC') };
  }
  const { error, result } = answer as { error?: unknown; result?: unknown };
  if (error === undefined || error === null) {
    return 'result' in answer
      ? { result }
      : { transient: new TransientFailure('the answer has neither result nor error') };
  }
  const { code, message, data } = (
    typeof error === 'string' ? { message: error } : error
  ) as Readonly<Record<string, unknown>>;
  const failure = new RpcError(
    typeof code === 'number' ? code : RPC_CODES.internal,
    redact(typeof message === 'string' ? message : 'unknown error'),
    redactedData(data, redact),
  );
  return outcomeOfError(failure, meaningWith(status, meaningOf(failure, call?.method)));
}

function outcomeOfError(error: RpcError, meaning: ErrorMeaning): Outcome {
  if (meaning !== 'busy' && meaning !== 'transient') return { error, meaning };
  const text = `answered "${error.message}"`;
  return { transient: new TransientFailure(text, { busy: meaning === 'busy' }) };
}

/** The status decides what the words do not. */
function meaningWith(status: number, meaning: ErrorMeaning): ErrorMeaning {
  if (meaning !== 'unknown') return meaning;
  if (REFUSALS.has(status)) return 'refused';
  return OUTAGES.has(status) ? 'transient' : 'unknown';
}

/** Answers may be in any order, or missing. */
function batchOutcomes(
  calls: readonly RpcCall[],
  firstId: number,
  { answer, status }: Reply,
  redact: Redact,
): Outcome[] {
  const answers: unknown[] = Array.isArray(answer) ? answer : [answer];
  const byId = new Map(answers.map((one) => [(one as { id?: unknown } | null)?.id, one]));
  if (Array.isArray(answer) && calls.some((_, index) => byId.has(firstId + index))) {
    return calls.map((call, index) =>
      byId.has(firstId + index)
        ? outcomeOf(call, byId.get(firstId + index), status, redact)
        : { transient: new TransientFailure('the batch lacks an answer') },
    );
  }
  // The node sent one error for the whole batch.
  const outcome = outcomeOf(calls[0], answers[0], status, redact);
  if ('transient' in outcome && outcome.transient.busy) throw outcome.transient;
  if ('error' in outcome && outcome.meaning === 'refused') return calls.map(() => outcome);
  throw new TransientFailure('the batch was not accepted', { batchRefused: true });
}

/** Answers of gateways, which are not JSON-RPC. */
function gatewayOutcomes(
  calls: readonly RpcCall[],
  { status, retryAfter, answer, text }: Reply,
  redact: Redact,
  now: number,
): Outcome[] {
  const said = gatewayMessage(answer, text);
  const message = said === undefined ? undefined : redact(said);
  const isBatch = calls.length > 1;
  const shown =
    status === 200
      ? message === undefined
        ? 'the answer is not JSON-RPC'
        : `answered "${message}"`
      : `HTTP ${status}${message === undefined ? '' : ` "${message}"`}`;
  if (status === 429) {
    throw new TransientFailure(shown, { busy: true, retryAt: retryAtOf(retryAfter, now) });
  }
  const words = meaningOf({ code: 0, message: message ?? '' }, isBatch ? '' : calls[0]?.method);
  const meaning = BY_WORDS.has(words) ? words : REFUSALS.has(status) ? 'refused' : 'transient';
  if (meaning === 'busy') throw new TransientFailure(shown, { busy: true });
  if (meaning === 'refused' || (meaning !== 'transient' && !isBatch)) {
    const error = new RpcError(status === 200 ? RPC_CODES.internal : status, shown);
    return calls.map(() => outcomeOfError(error, meaning));
  }
  throw new TransientFailure(shown, {
    // 503 may include the time until recovery (RFC 9110 §15.6.4).
    retryAt: status === 503 ? retryAtOf(retryAfter, now) : undefined,
    batchRefused: isBatch && (BATCH_REFUSALS.has(status) || meaning !== 'transient'),
  });
}

const SHOWN_MESSAGE = 200;

/** The text of a gateway's error. Pages are not shown. */
function gatewayMessage(answer: unknown, text: string | undefined): string | undefined {
  const found = messageIn(answer) ?? (text?.includes('<') === true ? undefined : text);
  const plain = found?.replace(/\s+/g, ' ').trim();
  if (plain === undefined || plain === '') return undefined;
  return plain.length > SHOWN_MESSAGE ? `${plain.slice(0, SHOWN_MESSAGE)}…` : plain;
}

function messageIn(answer: unknown): string | undefined {
  if (typeof answer === 'string') return answer;
  if (Array.isArray(answer)) return messageIn(answer[0]);
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { error, message, detail, title, errors } = answer as Record<string, unknown>;
  for (const one of [error, message, detail, title]) {
    if (typeof one === 'string' && one !== '') return one;
  }
  const inner: unknown = error ?? (Array.isArray(errors) ? errors[0] : undefined);
  const { message: text } = (inner ?? {}) as { message?: unknown };
  return typeof text === 'string' ? text : undefined;
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAtOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  const at = Number.isFinite(seconds) ? now + seconds * 1000 : Date.parse(header);
  return Number.isNaN(at) ? undefined : at;
}
