import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { createHostGuard, type HostGuardOptions } from '../../../server/http/host-guard';
import { requestLimit } from '../../../server/http/rate-limit';

describe('host guard', () => {
  const accepts = (
    host: string | undefined,
    options: Partial<HostGuardOptions> = {},
    localAddress = '127.0.0.1',
  ): boolean => {
    const guard = createHostGuard({
      host: '127.0.0.1',
      publicUrl: undefined,
      allowedHosts: [],
      proxies: { read: () => ({}) },
      ...options,
    });
    return guard({ headers: { host }, socket: { localAddress } } as unknown as IncomingMessage);
  };

  it('accepts loopback by all its names', () => {
    for (const host of ['localhost', 'Localhost.:1', '127.0.0.1:8787', '[::1]', '[::1]:80']) {
      assert.ok(accepts(host), host);
    }
  });

  it('rejects a Host that is foreign, malformed or missing', () => {
    for (const host of [undefined, '', 'evil.example', 'localhost@evil', '[::2]', '::1', 'a:b']) {
      assert.ok(!accepts(host), host);
    }
  });

  it('accepts a name that a trusted proxy forwards only if the Host is accepted as well', () => {
    const proxies = (host: string) => ({ proxies: { read: () => ({ host }) } });
    const allowedHosts = ['forks.example'];
    assert.ok(accepts('127.0.0.1', { allowedHosts, ...proxies('forks.example:443') }));
    assert.ok(!accepts('127.0.0.1', { allowedHosts, ...proxies('evil.example') }));
    assert.ok(!accepts('127.0.0.1', { allowedHosts, ...proxies('a b') }));
    assert.ok(!accepts('evil.example', { allowedHosts, ...proxies('forks.example') }));
    assert.ok(accepts('evil.example', { allowedHosts: ['*'], ...proxies('any.example') }));
  });

  it('accepts the configured names and the local address of the connection', () => {
    assert.ok(accepts('forks.example:443', { publicUrl: 'https://forks.example/base' }));
    assert.ok(accepts('a.example', { allowedHosts: ['A.example'] }));
    assert.ok(accepts('anything', { allowedHosts: ['*'] }));
    assert.ok(accepts('10.0.0.5:8787', { host: '0.0.0.0' }, '::ffff:10.0.0.5'));
    assert.ok(accepts('[fd00::1]:8787', { host: '::' }, 'fd00::1'));
    assert.ok(!accepts('10.0.0.6', { host: '0.0.0.0' }, '10.0.0.5'));
  });
});

describe('request limit', () => {
  it('is off on loopback unless it is configured', () => {
    assert.deepEqual(
      ['127.0.0.1', '127.1.2.3', 'localhost', '::1', '0.0.0.0', '10.0.0.1', '::'].map((host) =>
        requestLimit(host, undefined),
      ),
      [undefined, undefined, undefined, undefined, 600, 600, 600],
    );
    assert.equal(requestLimit('127.0.0.1', 5), 5);
  });
});
