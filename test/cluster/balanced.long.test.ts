import assert from 'node:assert/strict';
import { once } from 'node:events';
import WebSocket from 'ws';
import type { Fork } from '../../server/api/fork';
import type { Recording } from '../../server/api/recording';
import { TestChain, ethChain, testEngines, type TestEngines } from '../integration/fork-upstream';
import { eventually } from '../support/eventually';
import { call } from '../support/json-rpc';
import { childrenOf, signalAll } from '../support/processes';
import { describeWith } from '../support/programs';
import { usePostgres } from '../support/storages';
import { ALICE, at, RECOVERY_MS, Sender, Team } from './team';

const TRANSFER = { from: ALICE, to: ALICE, value: '0x1' };
const CLIENTS = 6;

describeWith(['initdb', 'haproxy'], 'a team behind HAProxy', function () {
  this.timeout(240_000);
  const postgres = usePostgres();
  let team: Team;
  let engines: TestEngines;
  before(async () => {
    engines = await testEngines();
    const upstream = await TestChain.start(engines.start);
    await upstream.mine();
    const config = { chains: [ethChain(upstream.engine.url)] };
    const service = { args: ['--sandbox'], config };
    team = await Team.start(postgres(), 3, [], { balanced: true, service });
  });
  after(async () => {
    await team.stop();
    await engines.close();
  });

  it('creates a fork where the blocks of its chain are cached, among nodes with the same load', async () => {
    const { nodes, project } = team;
    const create = async (index: number): Promise<Fork> => {
      const body = { chainId: 1, name: 'test', height: '0x1' };
      const answer = await team.request<Fork>(
        ...([nodes[index]!, 'POST', `/v1/project/${project}/fork`, { body }] as const),
      );
      assert.equal(answer.message, 'OK');
      return answer.data;
    };
    /** Waits until every node knows that no node runs a fork. */
    const untilIdle = async (): Promise<void> => {
      const none = async (condition: string): Promise<void> => {
        const found = await team.query(`SELECT 1 FROM forklens.nodes WHERE ${condition}`);
        assert.equal(found.length, 0);
      };
      await eventually(() => none('engines > 0'), RECOVERY_MS);
      const [row] = await team.query<{ now: string }>('SELECT now()::text AS now');
      await eventually(() => none(`heartbeat_at <= '${row!.now}'`), RECOVERY_MS);
    };
    // No node has the blocks: the one that was asked comes first.
    const first = await create(1);
    assert.equal((await team.ownerOf(first)).url, nodes[1]!.url);
    await team.request(nodes[1]!, 'DELETE', `/v1/project/${project}/fork/${first.forkId}`);
    await untilIdle();
    const second = await create(2);
    assert.equal((await team.ownerOf(second)).url, nodes[1]!.url);
    await team.request(nodes[1]!, 'DELETE', `/v1/project/${project}/fork/${second.forkId}`);
  });

  it('debugs a simulation that another node recorded', async () => {
    const path = '/v1/explorer/sandbox';
    const body = { from: ALICE, to: ALICE, value: '0x1' };
    const recorded = await team.request<Recording>(
      ...([team.nodes[0]!, 'POST', `${path}/simulate/recording`, { body }] as const),
    );
    assert.equal(recorded.message, 'OK');
    const { transaction } = recorded.data;
    for (const node of team.nodes) {
      const step = await team.request(
        ...([node, 'GET', `${path}/transaction/${transaction}/recording/calls`] as const),
      );
      assert.equal(step.message, 'OK');
    }
    const unknown = `${path}/transaction/0x${'0'.repeat(64)}/recording`;
    assert.equal((await team.request(team.nodes[0]!, 'GET', unknown)).code, 40403);
  });

  it('ends the WebSockets of a node that the balancer loses, and serves new ones by the others', async () => {
    const fork = await team.createFork(team.front);
    const open = async (): Promise<WebSocket> => {
      const socket = new WebSocket(at(team.front, fork).replace('http', 'ws'));
      await once(socket, 'open');
      return socket;
    };
    const sockets = [await open(), await open(), await open()];
    const ends = sockets.map((socket) => once(socket, 'close'));
    const [lost] = team.nodes;
    const find = await team.loseAtBalancer(lost!);
    // One of three in turn was of the lost node.
    await Promise.race(ends);
    const again = await open();
    const answered = once(again, 'message') as Promise<[Buffer]>;
    again.send('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}');
    const [message] = await answered;
    assert.equal((JSON.parse(message.toString()) as { result: string }).result, '0x7a69');
    for (const socket of [...sockets, again]) socket.terminate();
    await find();
  });

  it('costs each client at most one request when a node is killed under load, and loses nothing', async () => {
    const forks = [await team.createFork(team.front), await team.createFork(team.front)];
    const heads = await Promise.all(
      forks.map((fork) => call(at(team.front, fork), 'eth_blockNumber')),
    );
    const clients = Array.from({ length: CLIENTS }, (_, index) => {
      const address = at(team.front, forks[index % 2]!);
      return new Sender(() => call(address, 'eth_sendTransaction', TRANSFER));
    });
    await Promise.all(clients.map((client) => client.more(5)));
    const victim = await team.ownerOf(forks[0]!);
    team.nodes.splice(team.nodes.indexOf(victim), 1);
    signalAll(childrenOf(victim.child.pid!), 'SIGKILL');
    await victim.kill();
    await Promise.all(clients.map((client) => client.more(5)));
    await Promise.all(clients.map((client) => client.stop()));
    for (const { failures } of clients) assert.ok(failures.length <= 1, failures.join('\n'));
    for (const [index, fork] of forks.entries()) {
      const its = clients.filter((_, client) => client % 2 === index);
      const made =
        Number(await call(at(team.front, fork), 'eth_blockNumber')) - Number(heads[index]);
      const acknowledged = its.reduce((sum, client) => sum + client.acknowledged, 0);
      const unknown = its.reduce((sum, { failures }) => sum + failures.length, 0);
      assert.ok(acknowledged <= made && made <= acknowledged + unknown, `${acknowledged}, ${made}`);
    }
  });
});
