import type { IncomingMessage } from 'node:http';

/** Clients of requests that another node has passed on. */
const CLIENTS = new WeakMap<IncomingMessage, string>();

/** Records that another node has passed the request on. @param client address of the client of that node */
export function markPassedOn(request: IncomingMessage, client: string): void {
  CLIENTS.set(request, client);
}

/** Whether another node has passed the request on. */
export const isPassedOn = (request: IncomingMessage): boolean => CLIENTS.has(request);

/** Address of the client, also if another node has passed its request on. */
export const clientAddress = (request: IncomingMessage): string | undefined =>
  CLIENTS.get(request) ?? request.socket.remoteAddress;
