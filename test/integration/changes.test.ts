import assert from 'node:assert/strict';
import { changeSchema, type Change } from '../../server/api/changes';
import { readEvents, type ServerEvent } from '../../server/api/event-source';
import type { Fork } from '../../server/api/fork';
import type { Project } from '../../server/api/project';
import type { Snapshot } from '../../server/api/snapshot';
import { call } from '../support/json-rpc';
import { localProject, runCliJson, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const ALICE = `0x${'a1'.repeat(20)}`;

/** A user's open stream of changes. */
class Stream {
  readonly #events: AsyncGenerator<ServerEvent, void, undefined>;

  private constructor(response: Response) {
    this.#events = readEvents(response);
  }

  static async open(service: TestService, key = service.key): Promise<Stream> {
    const response = await fetch(`${service.url}/v1/events`, { headers: { 'Access-Key': key } });
    assert.equal(response.status, 200);
    assert.match(response.headers.get('Content-Type')!, /^text\/event-stream/);
    const stream = new Stream(response);
    assert.deepEqual((await stream.#events.next()).value, { name: 'ready', data: {} });
    return stream;
  }

  /** The changes up to and including the first wanted one. */
  async until(isWanted: (change: Change) => boolean): Promise<Change[]> {
    const seen: Change[] = [];
    for (;;) {
      const { value, done } = await this.#events.next();
      assert.ok(done !== true, `ended after ${JSON.stringify(seen)}`);
      assert.equal(value.name, 'change');
      const change = changeSchema.parse(value.data);
      seen.push(change);
      if (isWanted(change)) return seen;
    }
  }

  async end(): Promise<void> {
    await this.#events.return();
  }

  /** Whether the service ended the stream. */
  async ended(): Promise<boolean> {
    return (await this.#events.next()).done === true;
  }
}

const isState =
  (wanted: string) =>
  (change: Change): boolean =>
    change.type === 'fork' && change.state === wanted;

describe('live changes', function () {
  this.timeout(60_000);
  let service: TestService;
  let stream: Stream;
  let projectId: string;

  before(async () => {
    service = await startService({ args: ['--sandbox'] });
    projectId = await localProject(service);
    stream = await Stream.open(service);
  });
  after(async () => {
    await stream.end();
    await service.stop();
  });

  const newUser = async (nickname: string): Promise<string> => {
    const email = `${nickname}@example.org`;
    const { dataDir } = service;
    await runCliJson(dataDir, 'user', 'add', '--nickname', nickname, '--email', email);
    return (await runCliJson<{ key: string }>(dataDir, 'key', 'create', '--user', email)).key;
  };
  const createFork = async (body: object): Promise<Fork> =>
    (
      await service.request<Fork>('POST', `/v1/project/${projectId}/fork`, {
        body: { chainId: 31337, chain: 'sandbox', ...body },
      })
    ).data;
  const getFork = async ({ forkId }: Fork): Promise<Fork> =>
    (await service.request<Fork>('GET', `/v1/project/${projectId}/fork/${forkId}`)).data;

  it('report a fork from its creation to its deletion', async () => {
    const creating = stream.until(isState('creating'));
    const running = creating.then(() => stream.until(isState('running')));
    const fork = await createFork({ name: 'inside', height: '0x8', position: 3 });
    const [first] = (await creating).slice(-1);
    const { forkId } = fork;
    const place = { name: 'inside', chain: 'sandbox', height: '0x8', position: 3 };
    // Simultaneous changes are sent as one, so the replay may have begun.
    const begun = { stage: 'replaying transactions', done: 0, total: 3 };
    const change = { type: 'fork', projectId, forkId, ...place, state: 'creating' };
    assert.deepEqual({ ...first, progress: begun }, { ...change, progress: begun });
    if (first && 'progress' in first) assert.deepEqual(first.progress, begun);
    await running;
    assert.equal((await getFork(fork)).transactionCount, 0);

    await call(fork.rpc, 'anvil_setBalance', ALICE, '0xde0b6b3a7640000');
    const sent = stream.until(({ type }) => type === 'transactions');
    await call(fork.rpc, 'eth_sendTransaction', { from: ALICE, to: ALICE, value: '0x1' });
    assert.deepEqual((await sent).at(-1), { type: 'transactions', projectId, forkId });
    assert.equal((await getFork(fork)).transactionCount, 1);

    const path = `/v1/project/${projectId}/fork/${forkId}`;
    const kept = stream.until(({ type }) => type === 'snapshots');
    const snapshot = await service.request<Snapshot>('POST', `${path}/snapshots`, {
      body: { name: 'funded' },
    });
    assert.deepEqual((await kept).at(-1), { type: 'snapshots', projectId, forkId });

    await call(fork.rpc, 'eth_sendTransaction', { from: ALICE, to: ALICE, value: '0x2' });
    await stream.until(({ type }) => type === 'transactions');
    const reverted = stream.until(({ type }) => type === 'transactions');
    await service.request('POST', `${path}/snapshots/${snapshot.data.snapshotId}/revert`);
    await reverted;
    assert.equal((await getFork(fork)).transactionCount, 1);

    const gone = stream.until(isState('deleting'));
    await service.request('DELETE', path);
    const last = (await gone).at(-1)!;
    assert.ok(last.type === 'fork' && last.forkId === forkId);
  });

  it('report projects only to their owner and collaborators', async () => {
    const key = await newUser('other');
    const others = await Stream.open(service, key);
    const created = stream.until(({ type }) => type === 'project');
    const { data } = await service.request<Project>('POST', '/v1/project', {
      body: { name: 'audit' },
    });
    assert.deepEqual(await created, [{ type: 'project', projectId: data.projectId }]);

    const shared = others.until(() => true);
    const body = { email: 'other@example.org' };
    const path = `/v1/project/${data.projectId}/collaborators`;
    await service.request('POST', path, { body });
    // The first event of the other user is the sharing, not the creation before it.
    assert.deepEqual(await shared, [{ type: 'project', projectId: data.projectId }]);
    const list = await service.request<Project[]>('GET', '/v1/projects', { key });
    assert.ok(list.data.some(({ projectId: id }) => id === data.projectId));

    const unshared = others.until(() => true);
    await service.request('DELETE', path, { body });
    assert.deepEqual(await unshared, [{ type: 'project', projectId: data.projectId }]);
    await others.end();
  });

  it('include the transaction count of a sleeping fork after a restart', async () => {
    const dataDir = await makeTemporaryDirectory();
    const first = await startService({ args: ['--sandbox'], dataDir });
    const { data } = await first.request<Project[]>('GET', '/v1/projects');
    const path = `/v1/project/${data[0]!.projectId}/fork`;
    const body = { chainId: 31337, chain: 'sandbox', name: 'kept', height: '0x8' };
    const { rpc, forkId } = (await first.request<Fork>('POST', path, { body })).data;
    await call(rpc, 'anvil_setBalance', ALICE, '0xde0b6b3a7640000');
    const snapshot = await call(rpc, 'evm_snapshot');
    for (const value of ['0x1', '0x2']) {
      await call(rpc, 'eth_sendTransaction', { from: ALICE, to: ALICE, value });
    }
    await call(rpc, 'evm_revert', snapshot);
    await call(rpc, 'eth_sendTransaction', { from: ALICE, to: ALICE, value: '0x3' });
    await first.stop();
    const second = await startService({ args: ['--sandbox'], dataDir });
    const { state, transactionCount } = (await second.request<Fork>('GET', `${path}/${forkId}`))
      .data;
    assert.deepEqual({ state, transactionCount }, { state: 'sleeping', transactionCount: 1 });
    await second.stop();
    await removeDirectory(dataDir);
  });

  it('are refused to keys without access, and for other methods', async () => {
    const { dataDir } = service;
    const create = ['key', 'create', '--user', 'other@example.org', '--scope', 'analyze'];
    const { key } = await runCliJson<{ key: string }>(dataDir, ...create);
    assert.equal((await service.request('GET', '/v1/events', { key })).code, 40300);
    assert.equal((await service.request('GET', '/v1/events', { key: null })).code, 40100);
    const posted = await service.request('POST', '/v1/events');
    assert.equal(posted.code, 40501);
    assert.equal(posted.headers.get('Allow'), 'GET, OPTIONS');
  });

  it('have a limited number of streams per user', async () => {
    const key = await newUser('many');
    const streams: Stream[] = [];
    for (let open = 0; open < 32; open++) streams.push(await Stream.open(service, key));
    const answer = await service.request('GET', '/v1/events', { key });
    assert.equal(answer.code, 42900);
    assert.match(answer.message, /32 event streams are open, which is the limit; close one first/);
    await Promise.all(streams.map((one) => one.end()));
  });

  it('end with the service', async () => {
    const other = await startService();
    const open = await Stream.open(other);
    const [exit, ended] = await Promise.all([other.stop(), open.ended()]);
    assert.equal(exit.code, 0);
    assert.equal(ended, true);
  });
});
