import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import { eventually } from '../support/eventually';
import { call, reply } from '../support/json-rpc';
import { childrenOf, signalAll } from '../support/processes';
import { describeWith } from '../support/programs';
import { spawnBundle, type TestService } from '../support/service';
import { usePostgres } from '../support/storages';
import { ALICE, at, RECOVERY_MS, Sender, Team } from './team';

const TRANSFER = { from: ALICE, to: ALICE, value: '0x1' };

describeWith(['initdb'], 'a fork moves to another node', function () {
  // Each test starts nodes of its own.
  this.timeout(240_000);
  const postgres = usePostgres();
  let team: Team;
  let fork: Fork;
  let owner: TestService;
  let other: TestService;
  const start = async (...args: string[]): Promise<void> => {
    team = await Team.start(postgres(), 2, args);
    fork = await team.createFork(team.nodes[0]!);
    owner = await team.ownerOf(fork);
    other = team.otherThan(owner);
  };
  afterEach(() => team.stop());
  const head = async (node: TestService): Promise<number> =>
    Number(await call(at(node, fork), 'eth_blockNumber'));
  const nodeIdOf = async ({ url }: TestService): Promise<string> => {
    const rows = await team.query<{ node_id: string }>(
      `SELECT node_id FROM forklens.nodes WHERE url = '${url}'`,
    );
    return rows[0]!.node_id;
  };
  const cli = async (...args: string[]) => {
    const { exited, stdout, stderr } = spawnBundle('cli.js', args, {
      env: { FORKLENS_DATABASE_URL: team.url },
    });
    const { code } = await exited;
    return { code, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
  };

  it('after kill -9, with every acknowledged change: the request waits for the end of the lease', async () => {
    await start();
    const hash = await call(at(other, fork), 'eth_sendTransaction', TRANSFER);
    const receipt = await call(at(other, fork), 'eth_getTransactionReceipt', hash);
    const before = await head(other);
    signalAll(childrenOf(owner.child.pid!), 'SIGKILL');
    await owner.kill();
    assert.deepEqual(await call(at(other, fork), 'eth_getTransactionReceipt', hash), receipt);
    assert.equal(await head(other), before);
    await call(at(other, fork), 'eth_sendTransaction', TRANSFER);
    assert.equal(await head(other), before + 1);
    const project = await team.request<{ stats: object }>(
      ...([other, 'GET', `/v1/project/${team.project}`] as const),
    );
    assert.deepEqual(project.data.stats, {
      dailyTransactionQuantity: 2,
      monthlyTransactionQuantity: 2,
    });
  });

  it('after a pause beyond the lease; the paused node acknowledges nothing', async () => {
    await start();
    await call(at(owner, fork), 'eth_sendTransaction', TRANSFER);
    const before = await head(owner);
    signalAll([owner.child.pid!], 'SIGSTOP');
    // Both reach the paused node: one directly, one through the other node. They are executed once, or refused.
    const direct = reply(at(owner, fork), 'eth_sendTransaction', TRANSFER).catch(() => undefined);
    const through = await reply(at(other, fork), 'eth_sendTransaction', TRANSFER);
    assert.match(through.error?.message ?? '', /ended before it answered; check whether/);
    assert.equal(await head(other), before);
    const sent = await call(at(other, fork), 'eth_sendTransaction', TRANSFER);
    signalAll([owner.child.pid!], 'SIGCONT');
    const late = await direct;
    const now = await head(other);
    assert.equal(now, before + 1 + (late?.result === undefined ? 0 : 1), JSON.stringify(late));
    // The resumed node passes its requests on.
    const receipt = await call(at(owner, fork), 'eth_getTransactionReceipt', sent);
    assert.notEqual(receipt, null);
    assert.equal(await team.ownerOf(fork), other);
    assert.equal(await head(owner), now);
  });

  it('when its node is drained, without losing a request', async () => {
    await start();
    const first = await head(owner);
    const senders = team.nodes.map(
      (node) => new Sender(() => call(at(node, fork), 'eth_sendTransaction', TRANSFER)),
    );
    await Promise.all(senders.map((one) => one.more(5)));
    const id = await nodeIdOf(owner);
    const drained = await cli('node', 'drain', id);
    assert.equal(drained.code, 0, drained.stderr);
    await Promise.all(senders.map((one) => one.more(5)));
    await Promise.all(senders.map((one) => one.stop()));
    assert.deepEqual(
      senders.flatMap(({ failures }) => failures),
      [],
    );
    await eventually(async () => {
      assert.equal(await team.ownerOf(fork), other);
    }, RECOVERY_MS);
    const sent = senders.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    assert.equal(await head(other), first + sent);
    // A new fork avoids the drained node.
    assert.equal(await team.ownerOf(await team.createFork(owner)), other);

    const listed = await cli('node', 'list', '--json');
    const nodes = JSON.parse(listed.stdout) as { nodeId: string; isDraining: boolean }[];
    assert.deepEqual(nodes.map(({ nodeId, isDraining }) => [nodeId === id, isDraining]).sort(), [
      [false, false],
      [true, true],
    ]);
    assert.match((await cli('node', 'list')).stdout, /draining +0\/\d+/);
  });

  it('when its node is stopped, without losing a request of the others', async () => {
    await start();
    const first = await head(owner);
    const sender = new Sender(() => call(at(other, fork), 'eth_sendTransaction', TRANSFER));
    await sender.more(5);
    assert.equal((await owner.stop()).code, 0);
    await sender.more(5);
    await sender.stop();
    assert.deepEqual(sender.failures, []);
    assert.equal(await head(other), first + sender.acknowledged);
    assert.equal((await team.query('SELECT 1 FROM forklens.nodes')).length, 1);
  });

  it('never above the capacity of a node', async () => {
    team = await Team.start(postgres(), 0);
    for (let index = 0; index < 2; index++) {
      await team.add(['--capacity', '1']);
    }
    const [one, two] = [team.nodes[0]!, team.nodes[1]!];
    const forks = [await team.createFork(one), await team.createFork(one)];
    const owners = new Set<TestService>();
    for (const made of forks) {
      // A busy machine can lose the lease of a fork: the call has a node take it again.
      assert.equal(await call(at(one, made), 'eth_chainId'), '0x7a69');
      owners.add(await team.ownerOf(made));
    }
    assert.deepEqual(owners, new Set([one, two]));
    // The third gets the place of a fork that is unused.
    forks.push(await team.createFork(one, 'third'));
    for (const made of [...forks, ...forks]) {
      assert.equal(await call(at(two, made), 'eth_chainId'), '0x7a69');
      const held = await team.query<{ count: string }>(
        'SELECT count(*) FROM forklens.leases WHERE expires_at > now() GROUP BY node_id',
      );
      for (const { count } of held) assert.ok(Number(count) <= 1, count);
    }
  });

  it('not while all nodes are full: what does not fit into their queues gets 503 with Retry-After', async () => {
    const service = { args: ['--sandbox'], config: { engine: { maxWaiting: 1 } } };
    team = await Team.start(postgres(), 2, ['--capacity', '1'], { service });
    const [one] = team.nodes;
    const forks = [await team.createFork(one!), await team.createFork(one!)];
    const leaving = new AbortController();
    // Requests that wait for a block keep both engines.
    for (const made of forks) {
      await call(at(one!, made), 'evm_setAutomine', false);
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_sendTransactionSync',
        params: [TRANSFER],
      });
      const headers = { 'Content-Type': 'application/json' };
      const { signal } = leaving;
      fetch(at(one!, made), { method: 'POST', headers, body, signal }).catch(() => undefined);
      await eventually(async () => {
        const content = await call<{ pending: string }>(at(one!, made), 'txpool_status');
        assert.equal(content.pending, '0x1');
      });
    }
    const path = `/v1/project/${team.project}/fork`;
    const create = () =>
      team.request(one!, 'POST', path, { body: { chainId: 31337, name: 'more' } });
    // More than two places that fall vacant at once, and the places of two queues.
    const [refused, ...others] = await firstOf(Array.from({ length: 6 }, create));
    assert.deepEqual([refused.status, refused.code], [503, 50302]);
    assert.match(refused.message, /all engines are busy .* the queue is full/);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    leaving.abort();
    const statuses = (await Promise.all(others)).map(({ status }) => status);
    assert.deepEqual(new Set(statuses), new Set([200, 503]));
  });

  it('is refused for a fork whose node does not take part', async () => {
    await start();
    await team.query('UPDATE forklens.nodes SET url = NULL');
    await eventually(async () => {
      const { error } = await reply(at(other, fork), 'eth_blockNumber');
      assert.match(error?.message ?? '', /the node that runs the fork does not answer; try again/);
    }, RECOVERY_MS);
  });
});

/** The result of the promise that settles first, and the other promises. */
async function firstOf<T>(all: readonly Promise<T>[]): Promise<[T, ...Promise<T>[]]> {
  const [result, first] = await Promise.race(all.map(async (one) => [await one, one] as const));
  return [result, ...all.filter((one) => one !== first)];
}

describe('options of a node', () => {
  it('need a database', async () => {
    for (const args of [
      ['--node-url', 'http://10.0.0.1:8787'],
      ['--capacity', '4'],
      ['--lease-seconds', '5'],
    ]) {
      const { exited, stderr } = spawnBundle('server.js', args);
      assert.equal((await exited).code, 2);
      assert.match(
        stderr.join('\n'),
        new RegExp(
          `${args[0]!} \\(FORKLENS_[A-Z_]+\\) needs a database: --database or FORKLENS_DATABASE_URL`,
        ),
      );
    }
    const { exited, stderr } = spawnBundle('cli.js', ['node', 'list']);
    assert.equal((await exited).code, 2);
    assert.match(stderr.join('\n'), /only a service on a database has nodes/);
  });
});
