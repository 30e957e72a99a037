import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The answer to one request; undefined: the connection hangs. A body that is not a text is sent as JSON. */
export type JsonAnswer =
  { status?: number; headers?: Record<string, string>; body?: unknown } | undefined;

/** A local service whose answers the test decides. `asked` contains the requested paths with their queries. */
export class JsonService {
  readonly asked: string[] = [];
  readonly #server = createServer();
  url = '';

  static async start(answer: (url: URL) => JsonAnswer): Promise<JsonService> {
    const service = new JsonService();
    service.#server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      service.asked.push(decodeURIComponent(url.pathname + url.search));
      const answered = answer(url);
      if (!answered) return;
      const { status = 200, headers = {}, body = null } = answered;
      response.writeHead(status, headers);
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    service.url = `http://127.0.0.1:${(service.#server.address() as AddressInfo).port}`;
    return service;
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

/** Registers a hook that closes the services of each test. @returns a function that starts a service */
export function useJsonServices(): typeof JsonService.start {
  const services: JsonService[] = [];
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.close()));
  });
  return async (answer) => {
    const service = await JsonService.start(answer);
    services.push(service);
    return service;
  };
}
