import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { TRACE_HEADERS, traceHeaders } from '../../kernel/requests/request-trace';
import { isPassedOn, markPassedOn } from '../../kernel/streams/client-address';

/** Header with the secret that all nodes know, and the id of the node that is meant. Such a request is not passed on again. */
const NODE = 'forklens-node';
/** Header with the address of the client. */
const CLIENT = 'forklens-client';
/** Header with the time that a request may still wait for its fork's node, in whole milliseconds. */
export const TIME_LEFT = 'forklens-time-left';
/** Header of an answer: the node does not run the fork, and has done nothing. */
export const ELSEWHERE = 'forklens-elsewhere';

/** What proxies say about the client: the node that got the request has read it. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];

/** Headers of a connection, which are not passed on (RFC 9110 §7.6.1), and those that nodes add. */
const OWN = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  NODE,
  CLIENT,
  TIME_LEFT,
  ELSEWHERE,
  ...TRACE_HEADERS,
  ...FORWARDED,
]);

/** Names and values, alternating, as Node has received them. @param except a name in lower case that is left out too */
export function passedHeaders(rawHeaders: readonly string[], except?: string): string[] {
  const passed: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const { [index]: name = '', [index + 1]: value = '' } = rawHeaders;
    const lower = name.toLowerCase();
    if (!OWN.has(lower) && lower !== except) passed.push(name, value);
  }
  return passed;
}

/** As `passedHeaders`, from headers by their names in lower case. */
export function passedFields(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string[] {
  const passed: string[] = [];
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (OWN.has(name) || value === undefined) continue;
    if (typeof value === 'string') passed.push(name, value);
    else for (const one of value) passed.push(name, one);
  }
  return passed;
}

/** The headers that one node adds for another. */
export const nodeHeaders = (
  secret: string,
  nodeId: string,
  client: string | undefined,
): string[] => [
  NODE,
  `${secret} ${nodeId}`,
  CLIENT,
  client ?? '',
  ...Object.entries(traceHeaders()).flat(),
];

/**
 * Recognizes a request of another node, and the client that it is from.
 * @returns `client` for any other request; `elsewhere` if the request is meant for another node than this one
 */
export function senderOf(
  request: IncomingMessage,
  secret: string,
  nodeId: string,
): 'client' | 'node' | 'elsewhere' {
  const text = textOf(request.headers, NODE);
  if (text === '') return 'client';
  const [given = '', meant] = text.split(' ');
  if (!isPassedOn(request)) {
    if (!isSame(given, secret)) return 'client';
    markPassedOn(request, textOf(request.headers, CLIENT));
  }
  return meant === nodeId ? 'node' : 'elsewhere';
}

/** @returns milliseconds; undefined if the other node does not say */
export function timeLeftOf({ headers }: IncomingMessage): number | undefined {
  const text = textOf(headers, TIME_LEFT);
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

const textOf = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
