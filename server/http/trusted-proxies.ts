import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { setClientAddress } from '../kernel/streams/client-address';

/** What a proxy says about the request that it passes on. */
export interface Forwarded {
  /** As in a Host header. */
  host?: string;
  protocol?: 'http' | 'https';
}

/** Headers of proxies count only if they come from one of these addresses: anyone can send them. */
export class TrustedProxies {
  readonly #addresses = new BlockList();
  readonly #isEmpty: boolean;
  readonly #read = new WeakMap<IncomingMessage, Forwarded>();

  /** @param trusted IP addresses, and networks in CIDR notation; valid ones */
  constructor(trusted: readonly string[]) {
    this.#isEmpty = trusted.length === 0;
    for (const one of trusted) {
      const [address = '', prefix] = one.split('/');
      const family = familyOf(address);
      if (prefix === undefined) this.#addresses.addAddress(address, family);
      else this.#addresses.addSubnet(address, Number(prefix), family);
    }
  }

  /**
   * Reads `X-Forwarded-For`, `-Host` and `-Proto` of a request from a trusted proxy. The client is the last address that is not one of a
   * trusted proxy: what stands before it may be invented.
   */
  read(request: IncomingMessage): Forwarded {
    if (this.#isEmpty) return {};
    const known = this.#read.get(request);
    if (known) return known;
    const remote = plain(request.socket.remoteAddress ?? '');
    if (!this.#isTrusted(remote)) return {};
    setClientAddress(request, this.#clientOf(request, remote));
    const host = lastOf(request, 'x-forwarded-host');
    const protocol = lastOf(request, 'x-forwarded-proto')?.toLowerCase();
    const forwarded: Forwarded = {
      ...(host === undefined ? {} : { host }),
      ...(protocol === 'http' || protocol === 'https' ? { protocol } : {}),
    };
    this.#read.set(request, forwarded);
    return forwarded;
  }

  #clientOf(request: IncomingMessage, remote: string): string {
    const addresses = valuesOf(request, 'x-forwarded-for').map(withoutPort);
    let client = remote;
    while (this.#isTrusted(client)) {
      const next = addresses.pop();
      if (next === undefined || isIP(next) === 0) break;
      client = next;
    }
    return client;
  }

  #isTrusted(address: string): boolean {
    return isIP(address) !== 0 && this.#addresses.check(address, familyOf(address));
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Without the prefix that an IPv4 address has on an IPv6 socket. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** `1.2.3.4:5` and `[::1]:5` without the port. */
const withoutPort = (text: string): string =>
  plain(text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1').replace(/^\[(.*)\](:\d+)?$/, '$1'));

function valuesOf({ headers }: IncomingMessage, name: string): string[] {
  const text = String(headers[name] ?? '');
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

const lastOf = (request: IncomingMessage, name: string): string | undefined =>
  valuesOf(request, name).at(-1);
