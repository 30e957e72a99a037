import assert from 'node:assert/strict';
import { eventually } from '../support/eventually';
import { call } from '../support/json-rpc';
import { readMetrics } from '../support/metrics';
import { childrenOf, signalAll } from '../support/processes';
import { describeWith } from '../support/programs';
import type { TestService } from '../support/service';
import { usePostgres } from '../support/storages';
import { ALICE, at, RECOVERY_MS, Team } from './team';

const TRANSFER = { from: ALICE, to: ALICE, value: '0x1' };

describeWith(['initdb'], 'monitoring of nodes', function () {
  this.timeout(120_000);
  const postgres = usePostgres();
  let team: Team;
  afterEach(() => team.stop());
  const readiness = async ({ url }: TestService): Promise<[number, unknown]> => {
    const response = await fetch(`${url}/health/ready`);
    return [response.status, await response.json()];
  };

  it('counts takeovers and wakes, and the connections to the database', async () => {
    team = await Team.start(postgres(), 2);
    const fork = await team.createFork(team.nodes[0]!);
    const owner = await team.ownerOf(fork);
    const other = team.otherThan(owner);
    await call(at(owner, fork), 'eth_sendTransaction', TRANSFER);
    assert.equal((await readMetrics(owner)).get('forklens_fork_takeovers_total'), 0);
    signalAll(childrenOf(owner.child.pid!), 'SIGKILL');
    await owner.kill();
    await call(at(other, fork), 'eth_sendTransaction', TRANSFER);
    const metrics = await readMetrics(other);
    assert.equal(metrics.get('forklens_fork_takeovers_total'), 1);
    assert.equal(metrics.get('forklens_fork_wake_duration_seconds_count'), 1);
    const [used, idle] = ['used', 'idle'].map((state) =>
      metrics.get(`forklens_database_connections{state="${state}"}`)!,
    );
    assert.ok(used! + idle! >= 1 && used! + idle! <= 11);
    assert.equal(metrics.get('forklens_database_queue_length'), 0);
    // The same node runs it again: no takeover.
    team.nodes.splice(team.nodes.indexOf(owner), 1);
    await team.sleep(fork);
    await call(at(other, fork), 'eth_sendTransaction', TRANSFER);
    const again = await readMetrics(other);
    assert.equal(again.get('forklens_fork_takeovers_total'), 1);
    assert.equal(again.get('forklens_fork_wake_duration_seconds_count'), 2);
  });

  it('is not ready while the database is away, and lives on', async () => {
    team = await Team.start(postgres(), 1);
    const [node] = team.nodes as [TestService];
    assert.deepEqual(await readiness(node), [200, { status: 'ready' }]);
    for (const how of ['lost', 'late'] as const) {
      team.proxyOf(node).cut(how);
      await eventually(async () => {
        const away = { status: 'notReady', reason: 'databaseUnavailable' };
        assert.deepEqual(await readiness(node), [503, away]);
      }, RECOVERY_MS);
      assert.equal((await fetch(`${node.url}/health/live`)).status, 200);
      assert.equal((await fetch(`${node.url}/health`)).status, 200);
      team.proxyOf(node).restore();
      await eventually(async () => {
        assert.deepEqual(await readiness(node), [200, { status: 'ready' }]);
      }, RECOVERY_MS);
    }
  });

  it('is not ready while the node gives its forks away', async () => {
    team = await Team.start(postgres(), 2);
    const [first, second] = team.nodes as [TestService, TestService];
    const draining = [503, { status: 'notReady', reason: 'draining' }];
    await team.query(`UPDATE forklens.nodes SET draining = true WHERE url = '${first.url}'`);
    await eventually(async () => {
      assert.deepEqual(await readiness(first), draining);
    }, RECOVERY_MS);
    assert.deepEqual(await readiness(second), [200, { status: 'ready' }]);
    // A node that stops serves until the others know.
    const stopped = second.stop();
    await eventually(async () => {
      assert.deepEqual(await readiness(second), draining);
    }, RECOVERY_MS);
    assert.equal((await fetch(`${second.url}/health/live`)).status, 200);
    assert.deepEqual(await stopped, { code: 0, signal: null });
  });
});
