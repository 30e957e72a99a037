import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** What identifies a request in logs, at other nodes and at the nodes of chains. */
export interface RequestTrace {
  /** `X-Request-Id` of the client, else a new one. */
  readonly id: string;
  /** W3C Trace Context, level 1, as the client sent it. Undefined: it sent none that is valid. */
  readonly parent?: string;
  readonly state?: string;
  /** Base URL at which the client reaches the service, as a trusted proxy says. No trailing slash. */
  readonly base?: string;
}

/** Headers as Node has parsed them. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Names of the headers, in lower case. */
export const TRACE_HEADERS = ['x-request-id', 'traceparent', 'tracestate'] as const;

const REQUEST_ID = /^[\w.:/+=-]{1,128}$/;
/** Version, trace id, parent id, flags; later versions may have more. */
const TRACE_PARENT =
  /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-[\x21-\x7e]{1,200})?$/;
const TRACE_STATE = /^[\x20-\x7e]{1,512}$/;

const running = new AsyncLocalStorage<RequestTrace | undefined>();

/** Reads the headers of a request. Values that are not valid count as missing. */
export function traceOf(headers: Headers): RequestTrace {
  const { 'x-request-id': given, traceparent, tracestate } = headers;
  const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : newId();
  if (typeof traceparent !== 'string' || !isTraceParent(traceparent)) return { id };
  const hasState = typeof tracestate === 'string' && TRACE_STATE.test(tracestate);
  return { id, parent: traceparent, ...(hasState ? { state: tracestate } : {}) };
}

/** Differs for each process. */
const PREFIX = randomBytes(4).toString('hex');
let count = 0;

/** 16 hex digits: those of the process, and a count. Random digits for each request would cost more than all else here. */
const newId = (): string => {
  count = (count + 1) % 2 ** 32;
  return PREFIX + count.toString(16).padStart(8, '0');
};

function isTraceParent(text: string): boolean {
  const [, version, traceId = '', parentId = '', more] = TRACE_PARENT.exec(text) ?? [];
  if (version === undefined || version === 'ff') return false;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return false;
  return version !== '00' || more === undefined;
}

/** Runs a task, and everything that it starts, as part of a request. Undefined: of none. */
export const runAs = <T>(trace: RequestTrace | undefined, task: () => T): T =>
  running.run(trace, task);

/** The request that the running code is part of. */
export const currentTrace = (): RequestTrace | undefined => running.getStore();

/** The headers that identify the request for others. */
export function traceHeaders(trace = currentTrace()): Record<string, string> {
  if (!trace) return {};
  const { id, parent, state } = trace;
  return {
    'x-request-id': id,
    ...(parent === undefined ? {} : { traceparent: parent }),
    ...(state === undefined ? {} : { tracestate: state }),
  };
}

/** Header of the answer with the id of its request. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

/** Adds the id of the request to its answer. */
export function nameAnswer(
  response: { setHeader: (name: string, value: string) => unknown },
  trace = currentTrace(),
): void {
  if (trace) response.setHeader(REQUEST_ID_HEADER, trace.id);
}

/** What a line of the log says about the request. */
export function traceFields(trace = currentTrace()): { requestId?: string; traceId?: string } {
  if (!trace) return {};
  const { id, parent } = trace;
  return { requestId: id, ...(parent === undefined ? {} : { traceId: parent.slice(3, 35) }) };
}
