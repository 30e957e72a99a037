import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { TrustedProxies } from '../../../server/http/trusted-proxies';
import { clientAddress } from '../../../server/kernel/streams/client-address';

const TRUSTED = ['10.0.0.0/8', '192.0.2.1', 'fd00::/8'];

/** A request from an address, as the service sees it. */
function receive(
  remoteAddress: string,
  headers: Record<string, string>,
  trusted: readonly string[] = TRUSTED,
): { client: string | undefined; host?: string; protocol?: string } {
  const request = { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
  const forwarded = new TrustedProxies(trusted).read(request);
  return { client: clientAddress(request), ...forwarded };
}

describe('trusted proxies', () => {
  const cases: [string, string, string, string][] = [
    ['the client of a trusted proxy', '10.1.2.3', '203.0.113.7', '203.0.113.7'],
    [
      'the last address that is no proxy',
      '10.1.2.3',
      '1.1.1.1, 203.0.113.7, 192.0.2.1',
      '203.0.113.7',
    ],
    ['the proxy without a header', '10.1.2.3', '', '10.1.2.3'],
    ['the first proxy where all are trusted', '10.1.2.3', '10.0.0.2, 10.0.0.1', '10.0.0.2'],
    ['the proxy before a text that is no address', '10.1.2.3', '203.0.113.7, unknown', '10.1.2.3'],
    ['the address of anyone else', '203.0.113.9', '1.1.1.1', '203.0.113.9'],
    ['a neighbour of a trusted address', '192.0.2.2', '1.1.1.1', '192.0.2.2'],
    ['an IPv4 client on an IPv6 socket', '::ffff:10.1.2.3', '::ffff:203.0.113.7', '203.0.113.7'],
    ['an IPv6 client', 'fd00::5', '2001:db8::1', '2001:db8::1'],
    ['an address without its port', '10.1.2.3', '203.0.113.7:4711', '203.0.113.7'],
    ['an IPv6 address without its port', '10.1.2.3', '[2001:db8::1]:4711', '2001:db8::1'],
  ];
  for (const [what, remote, header, client] of cases) {
    it(`give ${what}`, () => {
      const headers: Record<string, string> = header === '' ? {} : { 'x-forwarded-for': header };
      assert.equal(receive(remote, headers).client, client);
    });
  }

  it('give the host and the protocol that the last of them says', () => {
    const headers = {
      'x-forwarded-host': 'evil.example, forks.example',
      'x-forwarded-proto': 'HTTPS',
    };
    assert.deepEqual(receive('10.1.2.3', headers), {
      client: '10.1.2.3',
      host: 'forks.example',
      protocol: 'https',
    });
    assert.deepEqual(receive('10.1.2.3', { 'x-forwarded-proto': 'ftp' }), { client: '10.1.2.3' });
  });

  it('are none by default', () => {
    const headers = { 'x-forwarded-for': '1.1.1.1', 'x-forwarded-host': 'forks.example' };
    assert.deepEqual(receive('127.0.0.1', headers, []), { client: '127.0.0.1' });
    assert.deepEqual(receive('203.0.113.9', headers), { client: '203.0.113.9' });
  });
});
