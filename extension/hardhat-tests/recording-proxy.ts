import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';

/** Most bytes of a request, as the fork has it. */
const MOST_BODY = 8 * 1024 ** 2;
/** Most transactions and failed calls that are kept. */
const MOST_KEPT = 10_000;

/** What a test sent to the fork. */
export type SentRequest = {
  /** When it came, in milliseconds since 1970 with a fraction. */
  readonly at: number;
} & (
  | { readonly kind: 'transaction'; readonly hash: string }
  /** A call, an estimate or a transaction that the fork refused, with the block that it saw. */
  | {
      readonly kind: 'refused';
      readonly call: CallFields;
      readonly block: number;
      readonly message: string;
    }
);

const callSchema = z.object({
  from: z.string().optional(),
  to: z.string().nullish(),
  value: z.string().optional(),
  data: z.string().optional(),
  input: z.string().optional(),
});
export type CallFields = z.infer<typeof callSchema>;

const requestSchema = z.object({
  id: z.unknown(),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
});
const answerSchema = z.object({
  id: z.unknown(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string(), code: z.number().optional() }).optional(),
});

const SENDS = new Set(['eth_sendTransaction', 'eth_sendRawTransaction']);
const CALLS = new Set(['eth_call', 'eth_estimateGas', 'eth_sendTransaction']);
/** JSON-RPC: the execution failed. */
const REVERTED = 3;

/** An address on this machine that passes requests on to a fork, and notes what is sent. */
export class RecordingProxy {
  /** In the order of arrival. */
  readonly sent: SentRequest[] = [];
  readonly #server: Server;
  readonly #path = `/${randomUUID()}`;
  readonly #ended = new AbortController();

  private constructor(private readonly fork: string) {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => {
        response.writeHead(502).end();
      });
    });
  }

  /** @param fork JSON-RPC address */
  static async start(fork: string): Promise<RecordingProxy> {
    const proxy = new RecordingProxy(fork);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject);
      proxy.#server.listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  /** Its JSON-RPC address. The path is its credential. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${this.#path}`;
  }

  close(): void {
    this.#ended.abort();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.timeOrigin + performance.now();
    if (request.url !== this.#path) {
      response.writeHead(404).end();
      return;
    }
    const body = await read(request);
    if (body === undefined) {
      response.writeHead(413).end();
      return;
    }
    const answer = await this.#send(body);
    const text = await answer.text();
    await this.#note(at, body, text).catch(() => undefined);
    const type = answer.headers.get('content-type') ?? 'application/json';
    response.writeHead(answer.status, { 'Content-Type': type }).end(text);
  }

  #send(body: string): Promise<Response> {
    const headers = { 'Content-Type': 'application/json' };
    const { signal } = this.#ended;
    return fetch(this.fork, { method: 'POST', headers, body, signal });
  }

  /** Notes what is sent before the fork's answer is passed on, so that the block is the one that it saw. */
  async #note(at: number, body: string, text: string): Promise<void> {
    const answers = new Map(listOf(answerSchema, text).map((one) => [one.id, one]));
    for (const request of listOf(requestSchema, body)) {
      if (this.sent.length >= MOST_KEPT) return;
      const { result, error } = answers.get(request.id) ?? {};
      if (SENDS.has(request.method) && typeof result === 'string') {
        this.sent.push({ at, kind: 'transaction', hash: result });
      }
      if (!CALLS.has(request.method) || !error || !isFailure(error)) continue;
      const call = callSchema.safeParse(request.params[0]);
      if (!call.success) continue;
      const block = await this.#block();
      this.sent.push({ at, kind: 'refused', call: call.data, block, message: error.message });
    }
  }

  async #block(): Promise<number> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
    const { result } = answerSchema.parse(await (await this.#send(body)).json());
    return Number(result);
  }
}

/** One or a batch. @throws Error */
const listOf = <T>(schema: z.ZodType<T>, text: string): T[] =>
  z.union([z.array(schema), schema.transform((one) => [one])]).parse(JSON.parse(text));

const isFailure = ({ code, message }: { code?: number | undefined; message: string }): boolean =>
  code === REVERTED || /revert|out of ?gas|opcode/i.test(message);

/** @returns undefined where it is too large */
async function read(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BODY) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
