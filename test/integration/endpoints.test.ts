import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublicChain } from '../../server/api/config';
import type { EndpointReport } from '../../server/api/endpoint';
import type { InvocationFlow } from '../../server/api/explorer';
import { sandboxHash } from '../support/sandbox-hashes';
import { type Answer, createFork, startService, type TestService } from '../support/service';

describe('endpoints that are added to a running service', () => {
  let service: TestService;
  let token: string;
  /** A real node with the whole sandbox: the address of a fork. */
  let node: string;
  let height: number;

  before(async () => {
    service = await startService({ args: ['--sandbox'] });
    const record = await readFile(join(service.dataDir, 'service.json'), 'utf8');
    token = (JSON.parse(record) as { adminToken: string }).adminToken;
    const fork = await createFork(service, { chainId: 31337 });
    node = fork.rpc;
    height = Number(fork.height);
  });

  after(() => service.stop());

  const admin = <T = null>(command: string, body: object, bearer = token): Promise<Answer<T>> =>
    service.request('POST', `/admin/${command}`, {
      body,
      key: null,
      headers: { Authorization: `Bearer ${bearer}` },
    });
  const slugs = async () =>
    (await service.request<PublicChain[]>('GET', '/v1/chains')).data.map(({ slug }) => slug);

  it('are checked: chain id, state, debug API, latency', async () => {
    const { data } = await admin<EndpointReport>('checkEndpoint', { url: node });
    assert.equal(data.chainId, 31337);
    assert.match(data.client, /^anvil/i);
    assert.equal(data.blockNumber, height);
    assert.equal(data.stateDepth, data.blockNumber);
    assert.equal(data.debugApi, true);
    assert.ok(data.latencyMs >= 0);
  });

  it('serve analyses under their name until they are removed', async () => {
    const added = await admin('addEndpoint', { slug: 'copy', chainId: 31337, url: node });
    assert.equal(added.code, 0, added.message);
    assert.ok((await slugs()).includes('copy'));
    const path = `/v1/explorer/copy/transaction/${sandboxHash('swap-two-hops')}/invocation-flow`;
    const flow = await service.request<InvocationFlow>('GET', path);
    assert.equal(flow.data.status, true, flow.message);
    assert.equal(flow.data.verification.faithful, true);
    assert.equal((await admin('removeEndpoint', { slug: 'copy' })).code, 0);
    assert.equal((await service.request('GET', path)).code, 40404);
  });

  it('are rejected for a different chain and for the built-in chain', async () => {
    const wrong = await admin('addEndpoint', { slug: 'eth', chainId: 31337, url: node });
    assert.equal(wrong.code, 40001);
    assert.match(
      wrong.message,
      /^slug is "eth"; accepted: for chain id 31337: sandbox, an unused slug$/,
    );
    const builtIn = await admin('addEndpoint', { slug: 'sandbox', chainId: 31337, url: node });
    assert.match(builtIn.message, /^slug is "sandbox"; accepted: another name/);
  });

  it('are unavailable without the token, and the commands appear not to exist', async () => {
    const refused = await admin('checkEndpoint', { url: node }, 'guess');
    assert.equal(refused.code, 40400);
  });

  it('leave no trace in messages, in the log or in files', async () => {
    const secret = 'provider-key-0123456789';
    const dead = `http://127.0.0.1:9/v3/${secret}`;
    const malformed = await admin('checkEndpoint', { url: `htp://x/${secret}` });
    assert.equal(
      malformed.message,
      'url is not accepted; accepted: an http:// or https:// URL, or a ws:// or wss:// URL',
    );
    const unreachable = await admin('checkEndpoint', { url: dead });
    assert.equal(unreachable.code, 50200);
    await admin('addEndpoint', { slug: 'dead', chainId: 7, url: dead });
    const used = await service.request('GET', `/v1/explorer/dead/address/0x${'1'.repeat(40)}`);
    assert.equal(used.code, 50200);
    const kept = await readFile(join(service.dataDir, 'service.json'), 'utf8');
    const texts = [malformed.message, unreachable.message, used.message, kept, ...service.stderr];
    assert.deepEqual(
      texts.filter((text) => text.includes(secret)),
      [],
    );
  });
});
