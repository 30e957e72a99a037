import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { LIMITS } from '../../api/limits';
import { parseJsonWork } from '../../kernel/async/parse-json';
import { inSlices, type Work } from '../../kernel/async/slices';
import { traceHeaders } from '../../kernel/requests/request-trace';
import { TransientFailure, type Reply, type RpcMessage, type Transport } from './transport';

/** RFC 9110 §15.4. The method stays POST for all of them: JSON-RPC over HTTP has no other. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308]);
/** Redirects that are remembered. */
const PERMANENT: ReadonlySet<number> = new Set([301, 308]);
const MAX_REDIRECTS = 5;
/** Characters of an answer that is not JSON. */
const SHOWN_TEXT = 300;

/** JSON-RPC over HTTP POST (RFC 9110), with compressed answers, and redirects within one host. */
export class HttpTransport implements Transport {
  #url: URL;
  readonly #headers: Readonly<Record<string, string>>;

  /** @param headers sent with each request */
  constructor(
    url: URL,
    headers: Readonly<Record<string, string>>,
    private readonly dispatcher: Dispatcher,
  ) {
    this.#url = url;
    this.#headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'gzip, br, deflate',
      ...authorization(url),
      ...headers,
    };
  }

  async send(messages: readonly RpcMessage[], signal: AbortSignal): Promise<Reply> {
    const body = JSON.stringify(messages.length > 1 ? messages : messages[0]);
    try {
      const { statusCode, headers, body: stream } = await this.#post(body, signal);
      const status = { status: statusCode, retryAfter: textOf(headers['retry-after']) };
      const bytes = await readBytes(expanded(stream, textOf(headers['content-encoding'])));
      if (bytes === undefined) return { ...status, answer: undefined, isTooLong: true };
      const answer = await parse(bytes, signal);
      const text = answer === undefined ? bytes.toString('utf8', 0, SHOWN_TEXT) : undefined;
      return { ...status, answer, text };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TransientFailure) throw error;
      const code = (error as { code?: unknown }).code;
      throw new TransientFailure(typeof code === 'string' ? code : 'no connection');
    }
  }

  close(): void {
    // The connections belong to the dispatcher.
  }

  /** Follows redirects. */
  async #post(body: string, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    let url = this.#url;
    let isPermanent = true;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await this.dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { ...this.#headers, ...traceHeaders() },
        body,
        signal,
      });
      const location = textOf(response.headers['location']);
      if (!REDIRECTS.has(response.statusCode) || location === undefined) return response;
      await response.body.dump();
      url = target(url, location);
      isPermanent &&= PERMANENT.has(response.statusCode);
      if (isPermanent) this.#url = url;
    }
    throw new TransientFailure(`more than ${MAX_REDIRECTS} redirects`);
  }
}

/** Keys are sent to the configured host only, and never over a connection that is less protected. */
function target(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (!to || !/^https?:$/.test(to.protocol)) {
    throw new TransientFailure('redirects to an address that is not a URL');
  }
  if (to.hostname !== from.hostname) throw new TransientFailure('redirects to another host');
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new TransientFailure('redirects from https:// to http://');
  }
  return to;
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.join(', ');

/** RFC 9110 §8.4: the codings in the order in which they were applied. */
function expanded(stream: Readable, codings = ''): Readable {
  let plain = stream;
  for (const coding of codings.toLowerCase().split(',').reverse()) {
    const decoder = decoderOf(coding.trim());
    // The reader of the last stream reports a failure of any.
    if (decoder) plain = pipeline(plain, decoder, () => undefined);
  }
  return plain;
}

function decoderOf(coding: string): Transform | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return createInflate();
    default:
      return undefined;
  }
}

/** @returns undefined if the answer is too long */
async function readBytes(stream: Readable): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of stream) {
    length += (piece as Buffer).length;
    // Leaving the loop closes the connection.
    if (length > LIMITS.answer) return undefined;
    pieces.push(piece as Buffer);
  }
  return inSlices(joinWork(pieces));
}

/** Like `Buffer.concat`, which blocks for a tenth of a second for many megabytes. */
function* joinWork(pieces: readonly Buffer[]): Work<Buffer> {
  const joined = Buffer.allocUnsafe(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
    yield 1;
  }
  return joined;
}

/** Parses in slices: a trace may have many megabytes, and other requests must run in between. */
export async function parse(bytes: Buffer, signal: AbortSignal): Promise<unknown> {
  try {
    return await inSlices(parseJsonWork(bytes), signal);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** `https://user:password@host`: undici ignores the credentials of a URL. */
export function authorization(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {};
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
