import type { IncomingMessage } from 'node:http';

const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

export interface HostGuardOptions {
  /** Address that the service is bound to, as given. */
  host: string;
  publicUrl: string | undefined;
  /** Further host names; `*` for any. */
  allowedHosts: readonly string[];
}

/**
 * Tells requests that were meant for this service from those that a web page sends under its own name
 * (DNS rebinding). Ports do not matter to that, and tunnels change them: names alone are compared.
 */
export function createHostGuard(options: HostGuardOptions): (request: IncomingMessage) => boolean {
  const { host, publicUrl, allowedHosts } = options;
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
    const name = hostName(request.headers.host);
    // The address that the client reached is an address, not a name that could point anywhere.
    return name !== undefined && (names.has(name) || name === localAddress(request));
  };
}

/** Host name of a Host header in lower case, without its port; undefined where it is missing or malformed. */
function hostName(header: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]]+)(?::\d{1,5})?$/i.exec(header ?? '');
  return match?.[1] === undefined ? undefined : normalize(match[1]);
}

/** Lower case, no final dot, IPv6 in brackets. */
function normalize(name: string): string {
  const text = name.toLowerCase().replace(/\.$/, '');
  return text.includes(':') && !text.startsWith('[') ? `[${text}]` : text;
}

function localAddress(request: IncomingMessage): string {
  return normalize((request.socket.localAddress ?? '').replace(/^::ffff:(?=\d+\.)/, ''));
}
