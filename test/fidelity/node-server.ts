import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Call {
  id: unknown;
  method: string;
  params?: unknown[];
}

/** Answers one method. @throws MethodMissing, or any other error, which is sent as an error of the node */
export type AnswerCall = (method: string, params: readonly unknown[]) => unknown;

export class MethodMissing extends Error {
  constructor(method: string) {
    super(`the method ${method} does not exist`);
  }
}

/** Serves nodes over JSON-RPC, each at a path of its own. */
export class NodeServer {
  readonly #nodes = new Map<string, AnswerCall>();
  readonly #server = createServer();
  #url = '';

  static async start(): Promise<NodeServer> {
    const nodes = new NodeServer();
    nodes.#server.on('request', (request, response) => {
      void bodyOf(request).then(async (body) => {
        const path = request.url ?? '/';
        const message = JSON.parse(body) as Call | Call[];
        const answer = Array.isArray(message)
          ? await Promise.all(message.map((call) => nodes.#reply(path, call)))
          : await nodes.#reply(path, message);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((resolve) => nodes.#server.listen(0, '127.0.0.1', resolve));
    nodes.#url = `http://127.0.0.1:${(nodes.#server.address() as AddressInfo).port}`;
    return nodes;
  }

  /** @returns the node's URL */
  add(path: string, answer: AnswerCall): string {
    this.#nodes.set(path, answer);
    return this.#url + path;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => {
        resolve();
      });
      this.#server.closeAllConnections();
    });
  }

  async #reply(path: string, { id, method, params = [] }: Call): Promise<object> {
    const answer = this.#nodes.get(path);
    try {
      if (!answer) throw new Error(`there is no chain at ${path}`);
      return { jsonrpc: '2.0', id, result: await answer(method, params) };
    } catch (error) {
      const code = error instanceof MethodMissing ? -32601 : -32000;
      return { jsonrpc: '2.0', id, error: { code, message: (error as Error).message } };
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
