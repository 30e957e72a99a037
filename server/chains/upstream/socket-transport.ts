import { setMaxListeners } from 'node:events';
import { WebSocket, type Dispatcher } from 'undici';
import { onAbort } from '../../kernel/async/on-abort';
import { authorization, parse } from './http-transport';
import { TransientFailure, type Reply, type RpcMessage, type Transport } from './transport';

/** A request that waits for its answers. */
interface Waiting {
  isBatch: boolean;
  ids: readonly number[];
  /** Ids without an answer so far. */
  open: Set<number>;
  answers: unknown[];
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
}

/** JSON-RPC over one WebSocket connection, which is opened by the first request and again after it has closed. */
export class SocketTransport implements Transport {
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #waiting = new Set<Waiting>();
  readonly #byId = new Map<number, Waiting>();
  #socket: Promise<WebSocket> | undefined;
  readonly #ended = new AbortController();

  constructor(
    url: URL,
    headers: Readonly<Record<string, string>>,
    private readonly dispatcher: Dispatcher,
  ) {
    this.#headers = { ...authorization(url), ...headers };
    this.#url = new URL(url);
    this.#url.username = '';
    this.#url.password = '';
    setMaxListeners(0, this.#ended.signal);
  }

  async send(messages: readonly RpcMessage[], signal: AbortSignal): Promise<Reply> {
    signal.throwIfAborted();
    const socket = await unlessAborted((this.#socket ??= this.#open()), signal);
    return new Promise((resolve, reject) => {
      const ids = messages.map(({ id }) => id);
      const isBatch = messages.length > 1;
      const waiting: Waiting = { isBatch, ids, open: new Set(ids), answers: [], resolve, reject };
      const stop = onAbort(signal, () => {
        this.#end(waiting);
        reject(signal.reason as Error);
      });
      waiting.resolve = (reply) => {
        stop();
        resolve(reply);
      };
      waiting.reject = (error) => {
        stop();
        reject(error);
      };
      this.#waiting.add(waiting);
      for (const id of ids) this.#byId.set(id, waiting);
      socket.send(JSON.stringify(isBatch ? messages : messages[0]));
    });
  }

  close(): void {
    this.#ended.abort();
    this.#socket?.then(
      (socket) => {
        socket.close();
      },
      () => undefined, // never opened
    );
    this.#fail('the connection was closed');
  }

  #open(): Promise<WebSocket> {
    return new Promise((resolve, reject) => {
      const { dispatcher } = this;
      const socket = new WebSocket(this.#url, { headers: this.#headers, dispatcher });
      socket.binaryType = 'arraybuffer';
      const closed = (): void => {
        this.#socket = undefined;
        const failure = new TransientFailure('the WebSocket connection closed');
        reject(failure);
        this.#fail(failure.message);
      };
      socket.addEventListener('open', () => {
        resolve(socket);
      });
      // An error event has no details, and is followed by the close event.
      socket.addEventListener('error', closed);
      socket.addEventListener('close', closed);
      socket.addEventListener('message', ({ data }: { data: string | ArrayBuffer }) => {
        void this.#receive(typeof data === 'string' ? Buffer.from(data) : Buffer.from(data));
      });
    });
  }

  async #receive(bytes: Buffer): Promise<void> {
    const answer = await parse(bytes, this.#ended.signal).catch(() => undefined);
    const answers: unknown[] = Array.isArray(answer) ? answer : [answer];
    const found = new Set(answers.flatMap((one) => this.#byId.get(idOf(one)) ?? []));
    if (found.size === 0) {
      this.#answerFirst(answer);
      return;
    }
    for (const one of answers) {
      const waiting = this.#byId.get(idOf(one));
      waiting?.open.delete(idOf(one));
      waiting?.answers.push(one);
    }
    for (const waiting of found) {
      // A batch that is answered as an array is answered whole, even if it lacks some answers.
      if (waiting.open.size > 0 && !Array.isArray(answer)) continue;
      this.#end(waiting);
      waiting.resolve({
        status: 200,
        answer: waiting.isBatch ? waiting.answers : waiting.answers[0],
      });
    }
  }

  /** An error without an id concerns the only request, or none that is known. */
  #answerFirst(answer: unknown): void {
    const { error, id } = (answer ?? {}) as { error?: unknown; id?: unknown };
    const [first, second] = this.#waiting;
    if (!first || second || error === undefined || (id ?? null) !== null) return;
    this.#end(first);
    first.resolve({ status: 200, answer });
  }

  #end(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    for (const id of waiting.ids) this.#byId.delete(id);
  }

  #fail(message: string): void {
    const all = [...this.#waiting];
    this.#waiting.clear();
    this.#byId.clear();
    for (const waiting of all) waiting.reject(new TransientFailure(message));
  }
}

const idOf = (answer: unknown): number =>
  Number((answer as { id?: unknown } | null | undefined)?.id ?? NaN);

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => {
      reject(signal.reason as Error);
    });
    promise.then(resolve, reject).finally(stop);
  });
}
