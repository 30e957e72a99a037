import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import type { Quota } from '../../server/api/quota';
import { call, refusal } from '../support/json-rpc';
import { createFork, localProject, startService, type TestService } from '../support/service';

const A = '0x00000000000000000000000000000000000000aa';

describe('quotas of a service', () => {
  let service: TestService;
  let projectId: string;
  const start = async (quotas: object): Promise<void> => {
    service = await startService({ args: ['--sandbox'], config: { limits: { quotas } } });
    projectId = await localProject(service);
  };
  afterEach(() => service.kill());
  const create = () =>
    service.request<Fork>('POST', `/v1/project/${projectId}/fork`, {
      body: { chainId: 31337, name: 'f' },
    });

  it('refuse forks beyond the quota, and running engines with the time to try again', async () => {
    await start({ user: { forks: 2 }, project: { runningEngines: 1 } });
    const first = await createFork(service, { chainId: 31337 });
    const busy = await create();
    assert.deepEqual([busy.status, busy.code], [429, 42901]);
    assert.equal(await call(first.rpc, 'eth_chainId'), '0x7a69');
    const { data } = await service.request<Quota>('GET', `/v1/project/${projectId}/quota`);
    assert.deepEqual(data.forks, { used: 1, limit: null });
    assert.deepEqual(data.runningEngines, { used: 1, limit: 1 });
    const own = await service.request<Quota>('GET', '/v1/account/quota');
    assert.deepEqual(own.data.forks, { used: 1, limit: 2 });
  });

  it('refuse changes of a fork while the disk is full; reads go on', async () => {
    await start({ project: { diskMegabytes: 0.001 } });
    const { rpc } = await createFork(service, { chainId: 31337 });
    await call(rpc, 'anvil_setCode', A, `0x${'60'.repeat(2_000)}`);
    const full = await create();
    assert.deepEqual([full.status, full.code], [507, 50702]);
    const refused = await refusal(rpc, 'anvil_setBalance', A, '0x7');
    assert.equal(refused.code, -32005);
    assert.match(refused.message, /has a quota of 0\.001 MiB on disk, which is used up/);
    assert.equal(await call(rpc, 'eth_getBalance', A, 'latest'), '0x0');
  });

  it('refuse requests beyond the quota of the minute with Retry-After', async () => {
    await start({ user: { requestsPerMinute: 3 } });
    // One request is that for the project.
    for (let index = 0; index < 2; index++) {
      assert.equal((await service.request('GET', '/v1/projects')).code, 0);
    }
    const headers = { 'Access-Key': service.key };
    const response = await fetch(`${service.url}/v1/projects`, { headers });
    assert.equal(response.status, 429);
    const seconds = Number(response.headers.get('retry-after'));
    assert.ok(seconds > 0 && seconds <= 60, String(seconds));
    assert.equal(((await response.json()) as { code: number }).code, 42902);
  });

  for (const [what, method, path, body] of [
    ['streams of changes', 'GET', '/v1/events'],
    [
      'searches for activity',
      'POST',
      '/v1/explorer/sandbox/activity',
      { watches: [{ kind: 'address', address: A }] },
    ],
    ['decodings', 'POST', '/v1/decode', { data: '0xa9059cbb' }],
    ['sources of addresses', 'GET', `/v1/explorer/sandbox/address/${A}/source`],
  ] as const) {
    it(`count ${what}`, async () => {
      await start({ user: { requestsPerMinute: 2 } });
      const ask = async (): Promise<number> => {
        const closing = new AbortController();
        const { status } = await fetch(service.url + path, {
          method,
          signal: closing.signal,
          headers: { 'Access-Key': service.key, 'Content-Type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        });
        closing.abort();
        return status;
      };
      assert.deepEqual([await ask(), await ask()], [200, 429]);
    });
  }
});
