import assert from 'node:assert/strict';
import { ApiError } from '../../../../server/api/errors';
import {
  HttpRpcClient,
  type HttpRpcClientOptions,
} from '../../../../server/chains/upstream/http-rpc-client';
import { each, HttpNode, type Answer } from './http-node';

/** Nodes and clients of one suite, closed after each test. */
export class ClientSuite {
  readonly #nodes: HttpNode[] = [];
  readonly #clients: HttpRpcClient[] = [];

  async node(...args: Parameters<typeof HttpNode.start>): Promise<HttpNode> {
    const started = await HttpNode.start(...args);
    this.#nodes.push(started);
    return started;
  }

  client(urls: string[], options: Partial<HttpRpcClientOptions> = {}): HttpRpcClient {
    // Without jitter, back-offs have half of their maximum length.
    const made = new HttpRpcClient({ name: 'chain test', urls, random: () => 0, ...options });
    this.#clients.push(made);
    return made;
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.close()));
    await Promise.all(this.#nodes.splice(0).map((node) => node.close()));
  }
}

/** Answers with the first parameter. */
export const ok = (message: Parameters<typeof each>[0]): Answer =>
  each(message, ({ params }) => ({ result: params[0] }));

/** For assert.rejects: checks for an ApiError whose message contains no endpoint. */
export const fails =
  (kind: string, message: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.kind, kind);
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /5ecr3t|127\.0\.0\.1/);
    return true;
  };
