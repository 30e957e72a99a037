import type { IncomingMessage } from 'node:http';

/** Clients of requests that another node or a trusted proxy has passed on. */
const CLIENTS = new WeakMap<IncomingMessage, string>();

/** Records whom a request is from that another node or a trusted proxy has passed on. */
export function setClientAddress(request: IncomingMessage, client: string): void {
  CLIENTS.set(request, client);
}

/** Whether a host name or an IP address means this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(host);

/** Address of the client, also if another node or a trusted proxy has passed its request on. */
export const clientAddress = (request: IncomingMessage): string | undefined =>
  CLIENTS.get(request) ?? request.socket.remoteAddress;
