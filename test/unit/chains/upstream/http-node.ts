import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Message {
  id: number;
  method: string;
  params: unknown[];
}

/** A node's answer to one HTTP request; undefined: no answer, the connection hangs. */
export type Answer =
  { status?: number; headers?: Record<string, string>; body: unknown } | undefined;

/** A node whose answers the test chooses. */
export class HttpNode {
  readonly requests: (Message | Message[])[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  readonly #server = createServer();
  #reported: (cut: Promise<unknown>) => void = () => undefined;
  /** Settles with the first request that gets no answer; the inner promise settles when its connection ends. */
  readonly hanging = new Promise<{ cut: Promise<unknown> }>((resolve) => {
    this.#reported = (cut) => {
      resolve({ cut });
    };
  });
  url = '';

  static async start(
    answer: (message: Message | Message[], count: number) => Answer,
  ): Promise<HttpNode> {
    const node = new HttpNode();
    node.#server.on('request', (request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const message = JSON.parse(text) as Message | Message[];
        node.requests.push(message);
        node.headers.push(request.headers);
        const answered = answer(message, node.requests.length);
        if (!answered) {
          node.#reported(once(response, 'close'));
          return;
        }
        const { status = 200, headers = {}, body } = answered;
        response.writeHead(status, headers);
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => node.#server.listen(0, '127.0.0.1', resolve));
    node.url = `http://127.0.0.1:${(node.#server.address() as AddressInfo).port}/5ecr3t`;
    return node;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => {
        resolve();
      });
      this.#server.closeAllConnections();
    });
  }
}

/** Answers each call of a request with the function's result. */
export function each(
  message: Message | Message[],
  answer: (message: Message) => { result?: unknown; error?: unknown },
): Answer {
  const one = (call: Message): object => ({ jsonrpc: '2.0', id: call.id, ...answer(call) });
  return { body: Array.isArray(message) ? message.map(one).reverse() : one(message) };
}
