import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FailedReads } from '../../evm/forms/engine';
import { LoopbackListener, type EngineListener } from './engine-listener';
import { ChainView, type ChainViewPoint } from './chain-view';
import { runAs } from '../../kernel/requests/request-trace';
import { readBody } from '../../kernel/streams/read-body';
import {
  errorAnswer,
  idOf,
  parseJson,
  parseRequest,
  resultAnswer,
  type RpcAnswer,
} from '../../evm/forms/rpc-message';

/** An address for one engine, valid until it is closed. */
export interface UpstreamLease {
  url: string;
  /** Whether a request is being answered. */
  isAsked: () => boolean;
  /** Counts on while the address is open. */
  failedReads: FailedReads;
  /** As `ChainView.preload`. */
  preload: (addresses: Iterable<string>) => void;
  /** As `ChainView.preloadBlock`. */
  preloadBlock: (options: { forRevert: boolean }) => void;
  close: () => void;
}

/** The chain that an engine sees, the number of requests being answered, and the reads that failed. */
interface OpenView {
  readonly view: ChainView;
  asked: number;
  readonly failedReads: { count: number; last: unknown };
}

const MAX_BODY_BYTES = 8 * 1024 * 1024;

/**
 * The node that engines fork from: read-only, reachable by engines only, with one unguessable path per fork point. The user's endpoint,
 * which may contain a key, therefore never appears in a command line, in an engine's memory, or in its error messages.
 */
export class UpstreamGateway {
  readonly #views = new Map<string, OpenView>();
  #origin: Promise<string> | undefined;

  /** @param onInternal receives errors that only the log may show */
  constructor(
    private readonly onInternal?: (error: unknown) => void,
    private readonly listener: EngineListener = new LoopbackListener(),
  ) {}

  /** Opens an address at which the chain ends at the given block. */
  async open(point: ChainViewPoint): Promise<UpstreamLease> {
    // Its connections are of engines, not of the request that came first.
    const origin = await (this.#origin ??= runAs(undefined, () => this.#listen()));
    const path = `/${randomBytes(16).toString('hex')}`;
    const failedReads = { count: 0, last: undefined };
    const open: OpenView = { view: new ChainView(point), asked: 0, failedReads };
    this.#views.set(path, open);
    return {
      url: origin + path,
      isAsked: () => open.asked > 0,
      failedReads,
      preload: open.view.preload.bind(open.view),
      preloadBlock: open.view.preloadBlock.bind(open.view),
      close: () => void this.#views.delete(path),
    };
  }

  async close(): Promise<void> {
    await this.#origin?.catch(() => undefined);
    await this.listener.close();
  }

  async #listen(): Promise<string> {
    try {
      return await this.listener.listen((request, response) => {
        void this.#handle(request, response);
      });
    } catch (error) {
      this.#origin = undefined;
      throw error;
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const open = this.#views.get(request.url ?? '');
    if (!open || request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    let answer: RpcAnswer | RpcAnswer[];
    open.asked++;
    try {
      const message = parseJson(await readBody(request, { limit: MAX_BODY_BYTES }));
      answer = Array.isArray(message)
        ? await Promise.all(message.map((one) => this.#answer(open, one)))
        : await this.#answer(open, message);
    } catch (error) {
      answer = errorAnswer(null, error, this.onInternal);
    } finally {
      open.asked--;
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  async #answer({ view, failedReads }: OpenView, message: unknown): Promise<RpcAnswer> {
    const id = idOf(message);
    let isExecutionRead = false;
    try {
      const request = parseRequest(message);
      isExecutionRead = view.isExecutionRead(request);
      return resultAnswer(id, await view.answer(request));
    } catch (error) {
      if (isExecutionRead) {
        failedReads.count++;
        failedReads.last = error;
      }
      return errorAnswer(id, error, this.onInternal);
    }
  }
}
