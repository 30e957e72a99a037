import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { clientAddress } from '../../kernel/streams/client-address';
import { endTogether } from '../../kernel/streams/end-together';
import { NodeDead, type NodeConnections, type Target } from './node-connections';
import { ELSEWHERE, passedFields, passedHeaders, TIME_LEFT } from './node-headers';
import type { RequestBody } from './request-body';
import type { WaitingTime } from './waiting-time';

/**
 * How an attempt to pass a request on ended:
 * - `answered`: the client got the answer, or is gone
 * - `elsewhere`: the node refused it, and has done nothing
 * - `unreachable`: the node got nothing
 * - `lost`: the node got it, and did not answer; nobody knows whether it was executed
 * - `dead`: the same, and the leases of the node have expired
 */
export type Outcome = 'answered' | 'elsewhere' | 'unreachable' | 'lost' | 'dead';

/** Answers that are not longer are sent at once, in bytes. */
const SHORT_BYTES = 64 * 1024;

/** Passes a request on to another node, and its answer back, as bytes, each at the speed of the reader. */
export function passRequest(
  connections: NodeConnections,
  target: Target,
  {
    request,
    response,
    body,
    time,
  }: {
    request: IncomingMessage;
    response: ServerResponse;
    body: RequestBody;
    time: WaitingTime;
  },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const { method = 'GET', url = '/', rawHeaders } = request;
    const headers = passedHeaders(rawHeaders, 'content-length');
    if (body.length !== undefined) headers.push('content-length', body.length);
    headers.push(TIME_LEFT, String(Math.ceil(time.left)));
    connections.dispatch(
      target,
      { method, path: url, headers, body: body.content() },
      new PassedAnswer(response, resolve),
      clientAddress(request),
    );
  });
}

type Controller = Dispatcher.DispatchController;
type Headers = Readonly<Record<string, string | string[] | undefined>>;

class PassedAnswer implements Dispatcher.DispatchHandler {
  /** Until the answer has ended. */
  #controller: Controller | undefined;
  #isRefused = false;
  /** Of a short answer, of which nothing is sent before its end: until then the request can be lost, and sent again. */
  #short: { status: number; fields: string[]; pieces: Buffer[] } | undefined;
  readonly #gone = (): void => {
    if (this.#controller) this.#controller.abort(new Error('the client has disconnected'));
    else if (this.response.headersSent) this.#end('answered');
  };
  readonly #resume = (): void => {
    this.#controller?.resume();
  };

  constructor(
    private readonly response: ServerResponse,
    private readonly resolve: (outcome: Outcome) => void,
  ) {
    response.on('close', this.#gone);
  }

  /** The request is being sent. */
  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.response.destroyed) this.#gone();
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    if (status < 200) return;
    if (headers[ELSEWHERE] !== undefined) {
      this.#isRefused = true;
      return;
    }
    const length = headers['content-length'];
    const fields = passedFields(headers);
    if (Number(length) <= SHORT_BYTES) {
      this.#short = { status, fields, pieces: [] };
      return;
    }
    this.response.writeHead(status, fields);
    // The head of a stream of events is sent before its first event.
    if (length === undefined) this.response.flushHeaders();
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#isRefused || this.response.destroyed) return;
    if (this.#short) this.#short.pieces.push(chunk);
    else if (!this.response.write(chunk)) {
      controller.pause();
      this.response.once('drain', this.#resume);
    }
  }

  onResponseEnd(): void {
    this.#controller = undefined;
    if (this.#isRefused) this.#end('elsewhere');
    else if (this.response.destroyed) this.#end('answered');
    else if (!this.#short)
      this.response.end(); // answered when it is read
    else {
      const { status, fields, pieces } = this.#short;
      const [first] = pieces;
      const body = pieces.length === 1 && first ? first : Buffer.concat(pieces);
      endTogether(this.response.writeHead(status, fields), body);
      this.#end('answered');
    }
  }

  onResponseError(_controller: Controller, error: Error): void {
    if (this.response.headersSent) this.response.destroy();
    if (this.#isRefused) this.#end('elsewhere');
    else if (this.response.destroyed) this.#end('answered');
    else if (!this.#controller) this.#end('unreachable');
    else this.#end(error instanceof NodeDead ? 'dead' : 'lost');
  }

  #end(outcome: Outcome): void {
    this.response.off('close', this.#gone);
    this.resolve(outcome);
  }
}
