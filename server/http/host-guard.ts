import type { IncomingMessage } from 'node:http';

const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

export interface HostGuardOptions {
  /** Address that the service listens on, as configured. */
  host: string;
  publicUrl: string | undefined;
  /** Further host names; `*` accepts any. */
  allowedHosts: readonly string[];
  /** What trusted proxies say about a request. */
  proxies: { read(request: IncomingMessage): { host?: string } };
}

/**
 * Accepts requests that name this service as their host. Rejects those that a web page sends to it under its own host name (DNS rebinding).
 * Compares names only, without ports, because tunnels change ports.
 */
export function createHostGuard(options: HostGuardOptions): (request: IncomingMessage) => boolean {
  const { host, publicUrl, allowedHosts, proxies } = options;
  const names = new Set(
    [
      ...LOOPBACK_NAMES,
      host,
      ...allowedHosts,
      ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
    ].map(normalize),
  );
  return (request) => {
    if (names.has('*')) return true;
    // A page can invent the header of a proxy that passes it on unchanged, so the Host header has to be accepted as well.
    const { host: forwarded } = proxies.read(request);
    if (forwarded !== undefined && !names.has(hostName(forwarded) ?? '')) return false;
    const name = hostName(request.headers.host);
    // The local address of the connection is safe: it is an address, not a name that could resolve to any host.
    return name !== undefined && (names.has(name) || name === localAddress(request));
  };
}

/** Host name of a Host header in lower case, without its port. Undefined if the header is missing or malformed. */
function hostName(header: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]]+)(?::\d{1,5})?$/i.exec(header ?? '');
  return match?.[1] === undefined ? undefined : normalize(match[1]);
}

/** Lower case, no trailing dot, IPv6 in brackets. */
function normalize(name: string): string {
  const text = name.toLowerCase().replace(/\.$/, '');
  return text.includes(':') && !text.startsWith('[') ? `[${text}]` : text;
}

function localAddress(request: IncomingMessage): string {
  return normalize((request.socket.localAddress ?? '').replace(/^::ffff:(?=\d+\.)/, ''));
}
