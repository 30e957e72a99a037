import assert from 'node:assert/strict';
import { once } from 'node:events';
import WebSocket from 'ws';
import { readEvents } from '../../server/api/event-source';
import type { Fork } from '../../server/api/fork';
import { eventually } from '../support/eventually';
import { call } from '../support/json-rpc';
import { describeWith } from '../support/programs';
import type { TestService } from '../support/service';
import { usePostgres } from '../support/storages';
import { ALICE, at, Team } from './team';

const TRANSFER = { from: ALICE, to: ALICE, value: '0x1' };

describeWith(['initdb'], 'nodes on one database', function () {
  this.timeout(120_000);
  const postgres = usePostgres();
  let team: Team;
  let fork: Fork;
  let owner: TestService;
  let other: TestService;
  before(async function () {
    this.timeout(240_000);
    // No test waits for the end of a lease, and a busy machine renews a long one in time.
    team = await Team.start(postgres(), 2, [], { leaseSeconds: 10 });
  });
  after(() => team.stop());
  beforeEach(async () => {
    fork = await team.createFork(team.nodes[0]!);
    owner = await team.ownerOf(fork);
    other = team.otherThan(owner);
  });
  const project = () => `/v1/project/${team.project}`;
  const path = () => `${project()}/fork/${fork.forkId}`;

  it('pass JSON-RPC on to the node that runs the fork: calls, batches, refusals, preflights', async () => {
    const hash = await call(at(other, fork), 'eth_sendTransaction', TRANSFER);
    const receipt = await call(at(owner, fork), 'eth_getTransactionReceipt', hash);
    assert.deepEqual(await call(at(other, fork), 'eth_getTransactionReceipt', hash), receipt);
    const batch = await fetch(at(other, fork), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify([
        { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] },
        { jsonrpc: '2.0', id: 2, method: 'eth_blockNumber', params: [] },
      ]),
    });
    assert.deepEqual(await batch.json(), [
      { jsonrpc: '2.0', id: 1, result: '0x7a69' },
      { jsonrpc: '2.0', id: 2, result: await call(at(owner, fork), 'eth_blockNumber') },
    ]);
    const refused = await fetch(at(other, fork), { method: 'POST', body: '{}' });
    assert.equal(refused.status, 415);
    assert.equal((await fetch(at(other, fork), { method: 'OPTIONS' })).status, 204);
    const unknown = await fetch(`${other.url}/rpc/${'0'.repeat(32)}`, { method: 'POST' });
    assert.equal(unknown.status, 404);
    assert.equal(await team.ownerOf(fork), owner);
  });

  it('pass the id and the trace of a request on', async () => {
    const traceId = 'ab'.repeat(16);
    const headers = {
      'X-Request-Id': 'from-the-client',
      traceparent: `00-${traceId}-${'cd'.repeat(8)}-01`,
    };
    const given = await team.request(other, 'GET', path(), { headers });
    assert.equal(given.headers.get('X-Request-Id'), 'from-the-client');
    const made = await team.request(other, 'GET', path());
    const id = made.headers.get('X-Request-Id');
    assert.match(id ?? '', /^[0-9a-f]{16}$/);
    const logged = (requestId: string | null): Promise<{ traceId?: string }> =>
      eventually(() => {
        const lines = owner.stderr.map((line) => JSON.parse(line) as Record<string, string>);
        const found = lines.find((one) => one['requestId'] === requestId);
        assert.ok(found, `the request ${requestId} is not in the log`);
        return found;
      });
    assert.equal((await logged('from-the-client')).traceId, traceId);
    assert.equal((await logged(id)).traceId, undefined);
  });

  it('pass long requests and answers on', async () => {
    const code = `0x${'60'.repeat(200_000)}`;
    await call(at(other, fork), 'anvil_setCode', ALICE, code);
    assert.equal(await call(at(other, fork), 'eth_getCode', ALICE, 'latest'), code);
    const tooLong = await fetch(at(other, fork), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: ['x'.repeat(9_000_000)] }),
    });
    assert.equal(tooLong.status, 413);
  });

  it('pass REST requests on, and list every fork with its facts', async () => {
    await call(at(owner, fork), 'eth_sendTransaction', TRANSFER);
    const kept = await team.request(other, 'POST', `${path()}/snapshots`, {
      body: { name: 'one' },
    });
    assert.equal(kept.message, 'OK');
    const transactions = await team.request<{ transactions: object[] }>(
      ...([other, 'GET', `${path()}/transactions`] as const),
    );
    assert.equal(transactions.data.transactions.length, 1);
    const [here, there] = await Promise.all(
      [owner, other].map(async (node) => {
        const { data } = await team.request<Fork[]>(node, 'GET', `${project()}/forks`);
        return data.find(({ forkId }) => forkId === fork.forkId)!;
      }),
    );
    assert.equal(here?.state, 'running');
    assert.equal(here.transactionCount, 1);
    assert.equal(there?.rpc, at(other, fork));
    assert.deepEqual({ ...there, rpc: '' }, { ...here, rpc: '' });
    const analysis = await team.request<{ block: object }>(
      ...([
        other,
        'GET',
        `/v1/explorer/${fork.forkId}/transaction/0x${'0'.repeat(64)}/fund-flow`,
      ] as const),
    );
    assert.equal(analysis.code, 40403);
  });

  it('pass WebSockets on, with subscriptions and large messages', async () => {
    const socket = new WebSocket(at(other, fork).replace('http', 'ws'));
    await once(socket, 'open');
    const messages: { id?: number; result?: unknown; params?: { result: { number: string } } }[] =
      [];
    socket.on('message', (data: Buffer) => {
      messages.push(JSON.parse(data.toString()) as (typeof messages)[0]);
    });
    const ask = (id: number, method: string, ...params: unknown[]) => {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    };
    const answered = (id: number) =>
      eventually(() => {
        assert.ok(messages.some((message) => message.id === id));
      });
    ask(1, 'eth_subscribe', 'newHeads');
    await answered(1);
    await call(at(owner, fork), 'evm_mine');
    await eventually(() => {
      assert.ok(messages.some(({ params }) => params !== undefined));
    });
    ask(2, 'anvil_setCode', ALICE, `0x${'61'.repeat(100_000)}`);
    await answered(2);
    assert.equal((await call(at(owner, fork), 'eth_getCode', ALICE, 'latest')).length, 200_002);
    socket.close();
    await once(socket, 'close');
  });

  it("end the work at the fork's node when the client disconnects", async () => {
    const leaving = new AbortController();
    await call(at(owner, fork), 'evm_setAutomine', false);
    const raw = fetch(at(other, fork), {
      method: 'POST',
      signal: leaving.signal,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_sendTransactionSync',
        params: [TRANSFER],
      }),
    });
    await eventually(async () => {
      const content = await call<{ pending: string }>(at(owner, fork), 'txpool_status');
      assert.equal(content.pending, '0x1');
    });
    leaving.abort();
    await assert.rejects(raw);
    await call(at(other, fork), 'evm_setAutomine', true);
  });

  it('see at once that a fork was deleted, or has another address', async () => {
    const renewed = await team.request<Fork>(other, 'POST', `${path()}/rpc`);
    assert.equal(renewed.message, 'OK');
    for (const node of team.nodes) {
      assert.equal((await fetch(at(node, fork), { method: 'POST' })).status, 404);
      assert.equal(await call(at(node, renewed.data), 'eth_chainId'), '0x7a69');
    }
    assert.equal((await team.request(other, 'DELETE', path())).message, 'OK');
    for (const node of team.nodes) {
      assert.equal((await fetch(at(node, renewed.data), { method: 'POST' })).status, 404);
      assert.equal((await team.request(node, 'GET', path())).code, 40402);
    }
  });

  it('serve simultaneous requests of a fork that each of them wants to wake', async () => {
    for (let round = 0; round < 3; round++) {
      await team.sleep(fork);
      // As if a third node had run it last, so that each node chooses itself.
      await team.query(
        `UPDATE forklens.leases SET node_id = 'gone', epoch = epoch + 1 WHERE fork_id = '${fork.forkId}'`,
      );
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, index) => {
          const body = { name: `${round} ${index}` };
          return team.request(team.nodes[index % 2]!, 'POST', `${path()}/snapshots`, { body });
        }),
      );
      assert.deepEqual(new Set(answers.map(({ message }) => message)), new Set(['OK']));
      owner = await team.ownerOf(fork);
    }
    const { data } = await team.request<object[]>(other, 'GET', `${path()}/snapshots`);
    assert.equal(data.length, 1 + 3 * 16);
  });

  it('see that a sleeping fork has another address, or was deleted', async () => {
    // Both nodes know the fork; then it sleeps.
    await call(at(other, fork), 'eth_chainId');
    await team.request(other, 'GET', `${project()}/forks`);
    await team.sleep(fork);
    assert.equal((await team.request(owner, 'GET', path())).message, 'OK');
    await team.query(
      `UPDATE forklens.forks SET secret = '${'e'.repeat(32)}' WHERE fork_id = '${fork.forkId}'`,
    );
    for (const node of team.nodes) {
      assert.equal((await fetch(at(node, fork), { method: 'POST' })).status, 404);
    }
    await team.query(`DELETE FROM forklens.forks WHERE fork_id = '${fork.forkId}'`);
    for (const node of team.nodes) {
      assert.equal((await team.request(node, 'GET', path())).code, 40402);
    }
  });

  it('find a transaction on a fork that another node runs', async () => {
    const hash = await call(at(owner, fork), 'eth_sendTransaction', TRANSFER);
    for (const node of team.nodes) {
      const found = await team.request<{ places: { chain: string }[] }>(
        ...([node, 'GET', `/v1/explorer/transactions/${hash}`] as const),
      );
      assert.ok(found.data.places.some(({ chain }) => chain === fork.forkId));
    }
  });

  it('revoke the addresses that a former collaborator knows, at every node at once', async () => {
    const added = await team.request<{ projectId: string }>(
      ...([other, 'POST', '/v1/project', { body: { name: 'shared' } }] as const),
    );
    const first = team.project;
    team.project = added.data.projectId;
    const shared = await team.createFork(other);
    const email = 'ann@example.org';
    await team.query(
      `INSERT INTO forklens.users VALUES ('user_ann', 'Ann', '${email}', '2026-01-01T00:00:00.000Z')`,
    );
    const collaborators = `${project()}/collaborators`;
    const owning = await team.ownerOf(shared);
    const leaving = team.otherThan(owning);
    for (const method of ['POST', 'DELETE']) {
      const answer = await team.request(leaving, method, collaborators, { body: { email } });
      assert.equal(answer.message, 'OK');
    }
    for (const node of team.nodes) {
      assert.equal((await fetch(at(node, shared), { method: 'POST' })).status, 404);
    }
    const listed = await team.request<Fork[]>(leaving, 'GET', `${project()}/forks`);
    assert.equal(await call(listed.data[0]!.rpc, 'eth_chainId'), '0x7a69');

    assert.equal((await team.request(leaving, 'DELETE', project())).message, 'OK');
    assert.deepEqual(
      await team.query(`SELECT 1 FROM forklens.forks WHERE project_id = '${team.project}'`),
      [],
    );
    team.project = first;
  });

  it('refuse commands and headers of strangers', async () => {
    const look = await fetch(`${owner.url}/internal/look`, { method: 'POST', body: '{}' });
    assert.equal(look.status, 404);
    const given = await fetch(`${owner.url}/internal/look`, {
      method: 'POST',
      body: '{}',
      headers: { 'Forklens-Node': 'x y', 'Forklens-Client': '1.2.3.4' },
    });
    assert.equal(given.status, 404);
  });

  it('read no journal at their start', async function () {
    this.timeout(240_000);
    const forkId = `fork_${'f'.repeat(32)}`;
    await team.query(
      `INSERT INTO forklens.forks SELECT '${forkId}', project_id, '${'f'.repeat(32)}', create_time, NULL, record
        FROM forklens.forks WHERE fork_id = '${fork.forkId}'`,
    );
    const added = await team.add();
    assert.ok(!added.stderr.join('\n').includes(forkId));
    const { data } = await team.request<Fork[]>(added, 'GET', `${project()}/forks`);
    const found = data.find((one) => one.forkId === forkId);
    assert.equal(found?.state, 'failed');
    assert.match(found.failure ?? '', /the journal of the fork .* is missing/);
    await team.query(`DELETE FROM forklens.forks WHERE fork_id = '${forkId}'`);
  });

  it('deliver changes to the clients of every node', async () => {
    const response = await fetch(`${other.url}/v1/events`, { headers: { 'Access-Key': team.key } });
    const events = readEvents(response);
    const seen = async (text: string) => {
      for (;;) {
        const { value, done } = await events.next();
        assert.ok(!done, `the events ended before ${text}`);
        if (JSON.stringify(value).includes(text)) return;
      }
    };
    await seen('ready');
    await call(at(owner, fork), 'eth_sendTransaction', TRANSFER);
    await seen(`"type":"transactions","projectId":"${team.project}","forkId":"${fork.forkId}"`);
    const made = await team.request<{ projectId: string }>(
      ...([owner, 'POST', '/v1/project', { body: { name: 'new' } }] as const),
    );
    await seen(made.data.projectId);
    await events.return();
  });
});
