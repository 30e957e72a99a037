import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { clientAddress } from '../streams/client-address';
import type { NodeConnections, Target } from './node-connections';
import { ELSEWHERE, passedHeaders, passedFields } from './node-headers';
import type { RequestBody } from './request-body';

/**
 * How an attempt to pass a request on ended:
 * - `answered`: the client got the answer, or is gone
 * - `elsewhere`: the node refused it, and has done nothing
 * - `unreachable`: the node got nothing
 * - `lost`: the node got it, and did not answer; nobody knows whether it was executed
 */
export type Outcome = 'answered' | 'elsewhere' | 'unreachable' | 'lost';

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
  }: { request: IncomingMessage; response: ServerResponse; body: RequestBody },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const { method = 'GET', url = '/', rawHeaders } = request;
    const headers = passedHeaders(rawHeaders, 'content-length');
    if (body.length !== undefined) headers.push('content-length', body.length);
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
  #controller: Controller | undefined;
  #isRefused = false;
  /** Pieces of a short answer. */
  #pieces: Buffer[] | undefined;
  readonly #gone = (): void => {
    if (this.#controller) this.#controller.abort(new Error('the client has disconnected'));
    if (this.response.headersSent) this.resolve('answered');
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
    this.response.writeHead(status, passedFields(headers));
    if (Number(length) <= SHORT_BYTES) this.#pieces = [];
    else if (length === undefined) {
      // The head of a stream of events is sent before its first event.
      this.response.flushHeaders();
    }
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#isRefused || this.response.destroyed) return;
    if (this.#pieces) this.#pieces.push(chunk);
    else if (!this.response.write(chunk)) {
      controller.pause();
      this.response.once('drain', this.#resume);
    }
  }

  onResponseEnd(): void {
    if (this.#isRefused) {
      this.#end('elsewhere');
      return;
    }
    this.#controller = undefined;
    if (this.response.destroyed) return; // it is closed soon
    if (!this.#pieces) {
      this.response.end();
      return;
    }
    const [first] = this.#pieces;
    this.response.end(this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces));
    this.#end('answered');
  }

  onResponseError(): void {
    if (this.response.headersSent) this.response.destroy();
    if (this.#isRefused) this.#end('elsewhere');
    else if (this.response.destroyed) this.#end('answered');
    else this.#end(this.#controller ? 'lost' : 'unreachable');
  }

  #end(outcome: Outcome): void {
    this.response.off('close', this.#gone);
    this.resolve(outcome);
  }
}
