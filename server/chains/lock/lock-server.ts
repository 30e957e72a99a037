import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LIMITS } from '../../api/limits';
import {
  answerText,
  errorAnswer,
  idOf,
  parseJson,
  parseRequest,
  resultAnswer,
  type RpcAnswer,
} from '../../evm/forms/rpc-message';
import { readBody } from '../../kernel/streams/read-body';
import type { ChainView } from '../upstream/chain-view';
import { LoopbackListener } from '../upstream/engine-listener';

/** Answers about the node itself, which depend on no chain. */
const OWN_ANSWERS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['web3_clientVersion', 'forklens'],
  ['net_listening', true],
  ['eth_syncing', false],
  ['eth_accounts', []],
]);

/** JSON-RPC over HTTP on the loopback interface, one unguessable path for each endpoint. */
export class LockServer {
  readonly #listener = new LoopbackListener();
  readonly #views = new Map<string, () => Promise<ChainView>>();
  #origin: Promise<string> | undefined;

  /** @param open called at the first request to the address, and again where it failed @returns its URL */
  async add(open: () => Promise<ChainView>): Promise<string> {
    const origin = await (this.#origin ??= this.#listener.listen((request, response) => {
      void this.#handle(request, response);
    }));
    const path = `/${randomBytes(16).toString('hex')}`;
    let view: Promise<ChainView> | undefined;
    this.#views.set(path, () => {
      view ??= open().catch((error: unknown) => {
        view = undefined;
        throw error;
      });
      return view;
    });
    return origin + path;
  }

  close(): Promise<void> {
    return this.#listener.close();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const view = this.#views.get(request.url ?? '');
    if (!view || request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    const text = await answerOf(request, view).catch((error: unknown) =>
      JSON.stringify(errorAnswer(null, error)),
    );
    response
      .writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      })
      .end(text);
  }
}

async function answerOf(request: IncomingMessage, view: () => Promise<ChainView>): Promise<string> {
  const message = parseJson(await readBody(request, { limit: LIMITS.rpcBody }));
  if (!Array.isArray(message)) return answerText(await answerTo(message, view));
  const answers = await Promise.all(message.map((one) => answerTo(one, view)));
  return `[${answers.map(answerText).join(',')}]`;
}

async function answerTo(message: unknown, view: () => Promise<ChainView>): Promise<RpcAnswer> {
  const id = idOf(message);
  try {
    const call = parseRequest(message);
    const own = OWN_ANSWERS.get(call.method);
    return resultAnswer(id, own ?? (await (await view()).answer(call)));
  } catch (error) {
    return errorAnswer(id, error);
  }
}
