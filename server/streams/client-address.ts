import type { IncomingMessage } from 'node:http';

/** Clients of requests that another node has passed on. */
const CLIENTS = new WeakMap<IncomingMessage, string>();

/** Records that another node has passed the request on. @param client address of the client of that node */
export function markPassedOn(request: IncomingMessage, client: string): void {
  CLIENTS.set(request, client);
}

/** Whether a host name or an IP address means this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(host);

/** Address of the client, also if another node has passed its request on. */
export const clientAddress = (request: IncomingMessage): string | undefined =>
  CLIENTS.get(request) ?? request.socket.remoteAddress;
