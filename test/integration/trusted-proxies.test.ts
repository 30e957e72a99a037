import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import { eventually } from '../support/eventually';
import { post } from '../support/json-rpc';
import { createFork, localProject, startService, type TestService } from '../support/service';

const LIMITS = { requestsPerMinute: 2, rpcCallsPerMinute: 2 };
const CHAIN_ID = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';

describe('a service behind a trusted proxy', () => {
  let service: TestService | undefined;
  afterEach(() => service?.stop());
  const projects = async (client: string): Promise<number> => {
    const headers = { 'X-Forwarded-For': client };
    return (await service!.request('GET', '/v1/projects', { headers })).status;
  };

  it('limits the requests of each client, and logs its address', async () => {
    const args = ['--trusted-proxy', '127.0.0.1', '--trusted-proxy', '::1,10.0.0.0/8'];
    service = await startService({ args, config: { limits: LIMITS } });
    assert.deepEqual([await projects('1.1.1.1'), await projects('1.1.1.1')], [200, 200]);
    assert.equal(await projects('1.1.1.1'), 429);
    assert.equal(await projects('2.2.2.2'), 200);
    // What the client itself has sent stands before what the proxy adds.
    assert.equal(await projects('3.3.3.3, 1.1.1.1, 10.0.0.7'), 429);
    const { stderr } = service;
    const clients = await eventually(() => {
      const logged = stderr.map((line) => (JSON.parse(line) as { client?: string }).client);
      assert.ok(logged.includes('2.2.2.2'));
      return logged;
    });
    assert.ok(clients.includes('1.1.1.1') && !clients.includes('3.3.3.3'));
  });

  it('limits the calls of each client to a fork', async () => {
    const args = ['--trusted-proxy', '127.0.0.1', '--sandbox'];
    service = await startService({ args, config: { limits: LIMITS } });
    const fork = await createFork(service, { chainId: 31337 });
    const ask = async (client: string): Promise<number> => {
      const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': client };
      return (await fetch(fork.rpc, { method: 'POST', headers, body: CHAIN_ID })).status;
    };
    assert.deepEqual([await ask('1.1.1.1'), await ask('1.1.1.1')], [200, 200]);
    assert.deepEqual([await ask('1.1.1.1'), await ask('2.2.2.2')], [429, 200]);
  });

  it('believes nobody else', async () => {
    service = await startService({ config: { limits: LIMITS, trustedProxies: ['10.0.0.0/8'] } });
    assert.deepEqual([await projects('1.1.1.1'), await projects('2.2.2.2')], [200, 200]);
    assert.equal(await projects('3.3.3.3'), 429);
  });

  it('gives forks addresses at which the client reaches the proxy', async () => {
    const args = ['--trusted-proxy', '127.0.0.1', '--allowed-hosts', 'forks.example', '--sandbox'];
    service = await startService({ args });
    const fork = await createFork(service, { chainId: 31337 });
    const path = `/v1/project/${await localProject(service)}/fork/${fork.forkId}`;
    const rpc = async (headers: Record<string, string>): Promise<string> =>
      (await service!.request<Fork>('GET', path, { headers })).data.rpc;
    const { pathname } = new URL(fork.rpc);
    const forwarded = { 'X-Forwarded-Host': 'forks.example', 'X-Forwarded-Proto': 'https' };
    assert.equal(await rpc(forwarded), `https://forks.example${pathname}`);
    assert.equal(
      await rpc({ 'X-Forwarded-Host': 'forks.example:8080' }),
      `http://forks.example:8080${pathname}`,
    );
    assert.equal(await rpc({}), fork.rpc);
    const foreign = { 'X-Forwarded-Host': 'evil.example' };
    assert.equal((await service.request('GET', path, { headers: foreign })).code, 40002);
    assert.deepEqual(await post(fork.rpc, CHAIN_ID), { jsonrpc: '2.0', id: 1, result: '0x7a69' });
  });
});
