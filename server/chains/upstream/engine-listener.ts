import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Address at which engines reach the service: on the loopback interface, or in a network of their own. */
export interface EngineListener {
  /** @returns the origin at which engines reach the handler */
  listen(handler: RequestListener): Promise<string>;
  close(): Promise<void>;
}

/** An HTTP server for engines, which open few connections and keep them open. */
export function engineServer(handler: RequestListener): Server {
  const server = createServer(handler);
  server.keepAliveTimeout = 60_000;
  return server;
}

/** Closes the server and its connections. */
export async function endServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}

/** Listens on the loopback interface, at a port that the system chooses. */
export class LoopbackListener implements EngineListener {
  readonly #servers: Server[] = [];

  async listen(handler: RequestListener): Promise<string> {
    const server = engineServer(handler);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    this.#servers.push(server);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map(endServer));
  }
}
