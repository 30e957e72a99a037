import { WebSocket } from 'ws';
import { ApiError } from '../api/errors';
import type { OpenFork } from '../forks/forks';
import type { RpcId, RpcRequest } from './rpc-message';

/** RFC 6455 §7.4.1, registered at IANA: service restart; clients connect again. */
const SERVICE_RESTART = 1012;

/** The subscriptions of one client: a WebSocket to the engine, opened with the first of them, whose notifications are passed on. */
export class EngineSubscriptions {
  #engine: Promise<WebSocket> | undefined;
  /** The client's id of each request under way, by ours. */
  readonly #ids = new Map<number, RpcId>();
  #next = 0;

  constructor(
    private readonly fork: OpenFork,
    private readonly client: WebSocket,
  ) {}

  /** Passes a request on; its answer comes in its place before the notifications that follow from it. */
  async forward({ id, method, params }: RpcRequest): Promise<void> {
    this.#engine ??= this.#open();
    const engine = await this.#engine.catch((error: unknown) => {
      this.#engine = undefined;
      throw error;
    });
    const ours = this.#next++;
    this.#ids.set(ours, id ?? null);
    engine.send(JSON.stringify({ jsonrpc: '2.0', id: ours, method, params }));
  }

  close(): void {
    void this.#engine?.then(
      (engine) => {
        engine.terminate();
      },
      () => undefined,
    );
  }

  async #open(): Promise<WebSocket> {
    const { awake, end } = await this.fork.watch();
    const engine = new WebSocket(awake.process.url.replace(/^http/, 'ws'));
    engine.once('close', end);
    await new Promise<void>((resolve, reject) => {
      engine.once('open', resolve);
      engine.once('error', (error) => {
        reject(
          new ApiError('engineUnavailable', "the fork's engine ended; ask again", { cause: error }),
        );
      });
    });
    engine.on('error', () => {
      engine.terminate();
    });
    engine.on('message', (data: Buffer) => {
      this.#pass(data.toString('utf8'));
    });
    engine.on('close', () => {
      this.client.close(SERVICE_RESTART, "the fork's engine ended");
    });
    // The client may have left meanwhile.
    if (this.client.readyState !== WebSocket.OPEN) engine.terminate();
    return engine;
  }

  #pass(text: string): void {
    const message = JSON.parse(text) as { id?: number };
    const id = message.id === undefined ? undefined : this.#ids.get(message.id);
    if (message.id === undefined || id === undefined) this.client.send(text);
    else {
      this.#ids.delete(message.id);
      this.client.send(JSON.stringify({ ...message, id }));
    }
  }
}
