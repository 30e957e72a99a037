import type { RequestListener, Server } from 'node:http';
import { ApiError, systemLimit } from '../../api/errors';
import {
  endServer,
  engineServer,
  LoopbackListener,
  type EngineListener,
} from '../upstream/engine-listener';
import { GATEWAY_PORT } from './gatekeeper-messages';
import { IsolatedNetwork, NoIsolation, type IsolatedNetworkOptions } from './isolated-network';

export interface EngineNetworksOptions extends IsolatedNetworkOptions {
  /** Called once with the reason if engines cannot have a network of their own. */
  onUnavailable?: (reason: string) => void;
}

/**
 * The network that all engines of the service share. It is created when the first engine starts, and created again after it has ended. On
 * machines without such networks, engines and gateway listen on the loopback interface.
 */
export class EngineNetworks implements EngineListener {
  readonly #loopback = new LoopbackListener();
  #handler: RequestListener | undefined;
  #current: Promise<IsolatedNetwork | undefined> | undefined;
  /** After a network existed once, no engine starts without one. */
  #hadOne = false;
  #isClosed = false;

  constructor(private readonly options: EngineNetworksOptions = {}) {}

  /**
   * @returns undefined if the machine does not support such networks
   * @throws ApiError engineUnavailable
   */
  async current(): Promise<IsolatedNetwork | undefined> {
    const network = await (this.#current ??= this.#open().catch((error: unknown) => {
      this.#current = undefined;
      throw error;
    }));
    if (network === undefined || (await network.canBeEntered())) return network;
    // Its process has ended, and this process has not been notified yet.
    await network.ended;
    return this.current();
  }

  /** Returns the same origin in every network. */
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
        `the network of the engines cannot be created: ${message}`,
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

  /** The gateway's handler may be set later, or never. */
  #serve({ gateway }: IsolatedNetwork): Server {
    return engineServer((request, response) => {
      if (this.#handler) this.#handler(request, response);
      else response.writeHead(404).end();
    }).listen(gateway);
  }
}
