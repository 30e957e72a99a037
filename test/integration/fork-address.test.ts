import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Fork } from '../../server/api/fork';
import { call, refusal } from '../support/json-rpc';
import {
  createFork,
  localProject,
  runCliJson,
  startService,
  type TestService,
} from '../support/service';

const A = '0x00000000000000000000000000000000000000aa';
const BOB = 'bob@example.org';

describe("a fork's address", () => {
  let service: TestService;
  let fork: Fork;
  let projectId: string;
  beforeEach(async () => {
    service = await startService({ args: ['--sandbox'] });
    projectId = await localProject(service);
    fork = await createFork(service, { chainId: 31337 });
    await call(fork.rpc, 'anvil_setBalance', A, '0x7');
  });
  afterEach(() => service.kill());

  const now = async (): Promise<Fork> =>
    (await service.request<Fork>('GET', `/v1/project/${projectId}/fork/${fork.forkId}`)).data;

  async function assertRenewed(fresh: string): Promise<void> {
    assert.notEqual(fresh, fork.rpc);
    assert.match(fresh, /\/rpc\/[0-9a-f]{32}$/);
    assert.equal((await refusal(fork.rpc, 'eth_chainId')).code, -32001);
    assert.equal(await call(fresh, 'eth_getBalance', A, 'latest'), '0x7');
    assert.equal((await now()).rpc, fresh);
  }

  it('is renewed on demand; the old one is unknown and its WebSockets end', async () => {
    const socket = new WebSocket(fork.rpc.replace('http', 'ws'));
    await once(socket, 'open');
    const closed = once(socket, 'close') as Promise<[number]>;
    const path = `/v1/project/${projectId}/fork/${fork.forkId}/rpc`;
    const { data } = await service.request<Fork>('POST', path);
    await assertRenewed(data.rpc);
    const [code] = await closed;
    assert.equal(code, 1001);
    const unknown = await service.request('POST', path.replace(fork.forkId, 'fork_0'));
    assert.equal(unknown.code, 40402);
  });

  it('changes for the other users when a collaborator leaves, also over a restart', async () => {
    await runCliJson(service.dataDir, 'user', 'add', '--nickname', 'Bob', '--email', BOB);
    const path = `/v1/project/${projectId}/collaborators`;
    const body = { email: BOB };
    assert.equal((await service.request('POST', path, { body })).code, 0);
    assert.equal((await now()).rpc, fork.rpc);
    assert.equal((await service.request('DELETE', path, { body })).code, 0);
    const fresh = (await now()).rpc;
    await assertRenewed(fresh);
    assert.equal((await service.request('DELETE', path, { body })).code, 40405);
    assert.equal((await now()).rpc, fresh, 'no client is left');
  });
});
