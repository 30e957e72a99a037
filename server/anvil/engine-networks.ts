import type { RequestListener, Server } from 'node:http';
import { ApiError, systemLimit } from '../api/errors';
import {
  endServer,
  engineServer,
  LoopbackListener,
  type EngineListener,
} from '../rpc/engine-listener';
import { GATEWAY_PORT } from './gatekeeper-messages';
import { IsolatedNetwork, NoIsolation, type IsolatedNetworkOptions } from './isolated-network';

export interface EngineNetworksOptions extends IsolatedNetworkOptions {
  /** Told once where engines cannot have a network of their own, and why. */
  onUnavailable?: (reason: string) => void;
}

/**
 * The network that all engines of the service share, made when the first engine starts, and again after it has ended. Where the machine
 * offers none, engines and gateway listen on the loopback interface.
 */
export class EngineNetworks implements EngineListener {
  readonly #loopback = new LoopbackListener();
  #handler: RequestListener | undefined;
  #current: Promise<IsolatedNetwork | undefined> | undefined;
  /** Once there was a network, no engine starts without one. */
  #hadOne = false;
  #isClosed = false;

  constructor(private readonly options: EngineNetworksOptions = {}) {}

  /**
   * @returns undefined where engines cannot have one
   * @throws ApiError engineUnavailable
   */
  current(): Promise<IsolatedNetwork | undefined> {
    return (this.#current ??= this.#open().catch((error: unknown) => {
      this.#current = undefined;
      throw error;
    }));
  }

  /** The origin is the same in every network. */
  async listen(handler: RequestListener): Promise<string> {
    this.#handler = handler;
    const isolated = await this.current();
    return isolated ? `http://127.0.0.1:${GATEWAY_PORT}` : this.#loopback.listen(handler);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const network = await this.#current?.catch(() => undefined);
    await network?.close();
    await this.#loopback.close();
  }

  async #open(): Promise<IsolatedNetwork | undefined> {
    if (this.#isClosed) throw new ApiError('engineUnavailable', 'the service stops');
    let network: IsolatedNetwork;
    try {
      network = await IsolatedNetwork.open(this.options);
    } catch (error) {
      const limit = systemLimit(error);
      if (limit) throw limit;
      const { message } = error as Error;
      if (error instanceof NoIsolation && !this.#hadOne) {
        this.options.onUnavailable?.(message);
        return undefined;
      }
      throw new ApiError(
        'engineUnavailable',
        `the network of the engines cannot be made: ${message}`,
        { cause: error },
      );
    }
    this.#hadOne = true;
    const server = this.#serve(network);
    void network.ended.then(() => {
      this.#current = undefined;
      return endServer(server);
    });
    return network;
  }

  /** The gateway may come later, or not at all. */
  #serve({ gateway }: IsolatedNetwork): Server {
    return engineServer((request, response) => {
      if (this.#handler) this.#handler(request, response);
      else response.writeHead(404).end();
    }).listen(gateway);
  }
}
