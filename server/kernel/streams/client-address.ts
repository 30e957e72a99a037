import type { IncomingMessage } from 'node:http';

/** Clients of requests that another node or a trusted proxy has passed on. */
const CLIENTS = new WeakMap<IncomingMessage, string>();

/** Records whom a request is from that another node or a trusted proxy has passed on. */
export function setClientAddress(request: IncomingMessage, client: string): void {
  CLIENTS.set(request, client);
}

const OF_NODES = new WeakSet<IncomingMessage>();

/** Records that another node has passed a request on. @param client address of the client of that node */
export function markPassedOn(request: IncomingMessage, client: string): void {
  OF_NODES.add(request);
  setClientAddress(request, client);
}

/** Whether another node has passed the request on. */
export const isPassedOn = (request: IncomingMessage): boolean => OF_NODES.has(request);

/** Whether a host name or an IP address means this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(host);

/** Address of the client, also if another node or a trusted proxy has passed its request on. */
export const clientAddress = (request: IncomingMessage): string | undefined =>
  CLIENTS.get(request) ?? request.socket.remoteAddress;
