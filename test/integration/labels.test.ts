import assert from 'node:assert/strict';
import type { InvocationFlow } from '../../server/api/explorer';
import type { Label } from '../../server/api/labels';
import type { Analysis } from '../../server/api/views';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork, runCliJson, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const STRANGER = `0x${'12'.repeat(20)}`;
const LABELS = '/v1/labels';

describe("a user's labels", () => {
  let dataDir: string;
  let service: TestService;
  const start = () =>
    startService({
      counted: true,
      args: ['--sandbox'],
      dataDir,
      config: { labels: { [ALICE]: 'by the file', [STRANGER]: 'stranger' } },
    });
  before(async () => {
    dataDir = await makeTemporaryDirectory();
    service = await start();
  });
  after(async () => {
    await service.stop();
    await removeDirectory(dataDir);
  });
  afterEach(async () => {
    for (const { address, chain } of await list()) {
      await service.request('DELETE', LABELS, { body: { address, chain } });
    }
  });

  const put = async (label: object): Promise<Label> => {
    const { data, message } = await service.request<Label>('PUT', LABELS, { body: label });
    assert.equal(message, 'OK');
    return data;
  };
  const list = async (key = service.key): Promise<Label[]> =>
    (await service.request<Label[]>('GET', LABELS, { key })).data;
  const flow = async (chain = 'sandbox', key = service.key): Promise<InvocationFlow> => {
    const path = `/v1/explorer/${chain}/transaction/${sandboxHash('send-ether')}/invocation-flow`;
    return (await service.request<InvocationFlow>('GET', path, { key })).data;
  };

  it('take precedence over the configured ones, and the answer identifies them', async () => {
    const before = await flow();
    assert.equal(before.labels[ALICE], 'by the file');
    assert.equal(before.userLabels, undefined);
    assert.deepEqual(await put({ address: ALICE.toUpperCase().replace('X', 'x'), name: ' me ' }), {
      address: ALICE,
      name: 'me',
    });
    const { labels, userLabels } = await flow();
    assert.deepEqual(labels, { ...before.labels, [ALICE]: 'me' });
    assert.deepEqual(userLabels, [ALICE]);
  });

  it('apply to all chains; those for one chain and its forks take precedence, and those for a fork even more', async () => {
    const { forkId } = await createFork(service, { chainId: 31337 });
    const names = async () => {
      const simulate = async (chain: string) =>
        (
          await service.request<Analysis>('POST', `/v1/explorer/${chain}/simulate`, {
            body: { from: ALICE, to: BOB },
          })
        ).data.labels[BOB];
      return [await simulate('sandbox'), await simulate(forkId)];
    };
    await put({ address: BOB, name: 'on all' });
    assert.deepEqual(await names(), ['on all', 'on all']);
    await put({ address: BOB, chain: forkId, name: 'on the fork' });
    assert.deepEqual(await names(), ['on all', 'on the fork']);
    await put({ address: BOB, chain: 'sandbox', name: 'on the chain' });
    await put({ address: BOB, chain: 'eth', name: 'elsewhere' });
    assert.deepEqual(await names(), ['on the chain', 'on the fork']);
    await service.request('DELETE', LABELS, { body: { address: BOB, chain: forkId } });
    assert.deepEqual(await names(), ['on the chain', 'on the chain']);
  });

  it('are listed in order of creation, and kept over a restart', async () => {
    await Promise.all([
      put({ address: BOB, name: 'first' }),
      put({ address: ALICE, name: 'second' }),
      put({ address: BOB, chain: 'sandbox', name: 'third' }),
    ]);
    await put({ address: BOB, name: 'first again' });
    const labels = [
      { address: BOB, name: 'first again' },
      { address: ALICE, name: 'second' },
      { address: BOB, chain: 'sandbox', name: 'third' },
    ];
    assert.deepEqual(await list(), labels);
    await service.stop();
    service = await start();
    assert.deepEqual(await list(), labels);
    assert.equal((await flow()).labels[BOB], 'third');
  });

  it('are invisible to other users', async () => {
    await put({ address: ALICE, name: 'secret' });
    const cli = <T>(...args: string[]) => runCliJson<T>(dataDir, ...args);
    await cli('user', 'add', '--nickname', 'eve', '--email', 'eve@example.org');
    const { key } = await cli<{ key: string }>('key', 'create', '--user', 'eve@example.org');
    assert.deepEqual(await list(key), []);
    assert.equal((await flow('sandbox', key)).labels[ALICE], 'by the file');
    const gone = await service.request('DELETE', LABELS, { key, body: { address: ALICE } });
    assert.deepEqual(
      [gone.status, gone.code, gone.message],
      [404, 40410, `you have no label for ${ALICE} on all chains`],
    );
    assert.equal((await list()).length, 1);
  });

  it('are rejected if they are invalid, and stripped of invisible characters', async () => {
    const refused = async (body: object) => {
      const { code, message } = await service.request('PUT', LABELS, { body });
      return `${code} ${message}`;
    };
    const accepted = 'accepted: text of 1-60 visible characters';
    assert.equal(await refused({ address: BOB }), `40001 name is missing; ${accepted}`);
    for (const name of ['', ' \u202e\u0007', 'x'.repeat(61), 7]) {
      assert.match(await refused({ address: BOB, name }), /^40001 name is .*; accepted: text of 1/);
    }
    assert.match(await refused({ address: '0x12', name: 'x' }), /^40001 address is "0x12"/);
    assert.match(await refused({ address: BOB, name: 'x', chain: 'nowhere' }), /^40404 /);
    assert.match(await refused({ address: BOB, name: 'x', chain: 5 }), /^40001 chain is 5/);
    assert.deepEqual(await list(), []);
    const { name } = await put({ address: BOB, name: 'a\u202edmin\u0000 \u200b1\u2028' });
    assert.equal(name, 'admin 1');
  });
});
