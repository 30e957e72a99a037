import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import type { Quota, QuotaLimits } from '../../server/api/quota';
import { eventually } from '../support/eventually';
import { call } from '../support/json-rpc';
import { childrenOf, signalAll } from '../support/processes';
import { describeWith } from '../support/programs';
import type { Answer } from '../support/service';
import { usePostgres } from '../support/storages';
import { at, RECOVERY_MS, Team, type Way } from './team';

describeWith(['initdb'], 'quotas of a team with two nodes', function () {
  this.timeout(120_000);
  const postgres = usePostgres();
  let team: Team;
  afterEach(() => team.stop());
  const start = async (quotas: { user?: QuotaLimits; project?: QuotaLimits }): Promise<void> => {
    const service = { args: ['--sandbox'], config: { limits: { quotas } } };
    // No lease ends and no heartbeat is late while a test runs, however slow the machine is.
    team = await Team.start(postgres(), 2, [], { service, leaseSeconds: 300 });
  };
  const create = (node: Way): Promise<Answer<Fork>> =>
    team.request<Fork>(node, 'POST', `/v1/project/${team.project}/fork`, {
      body: { chainId: 31337, name: 'test' },
    });
  const codesOf = (answers: readonly Answer[]): number[] =>
    answers.map(({ code }) => code).sort((one, other) => one - other);

  it('admit no more forks than one service does when all nodes create some at the same time', async () => {
    await start({ project: { forks: 3 } });
    const [a, b] = team.nodes;
    const answers = await Promise.all([a, b, a, b, a, b].map((node) => create(node!)));
    assert.deepEqual(codesOf(answers), [0, 0, 0, 40908, 40908, 40908]);
    const path = `/v1/project/${team.project}`;
    const { data } = await team.request<readonly Fork[]>(a!, 'GET', `${path}/forks`);
    assert.equal(data.length, 3);
    await team.request(b!, 'DELETE', `${path}/fork/${data[0]!.forkId}`);
    assert.equal((await create(a!)).code, 0);
    for (const node of team.nodes) {
      const used = await team.request<Quota>(node, 'GET', `${path}/quota`);
      assert.deepEqual(used.data.forks, { used: 3, limit: 3 });
    }
  });

  it('bound running engines on all nodes together, and forget those of a node that was killed', async () => {
    await start({ user: { runningEngines: 2 } });
    const [a, b] = team.nodes;
    const answers = await Promise.all([a, b, a, b].map((node) => create(node!)));
    assert.deepEqual(codesOf(answers), [0, 0, 42901, 42901]);
    const [first, second] = answers.flatMap(({ code, data }) => (code === 0 ? [data] : []));
    await team.sleep(first!);
    const third = await eventually(async () => {
      const answer = await create(b!);
      assert.equal(answer.code, 0);
      return answer.data;
    }, RECOVERY_MS);
    // It may have been on the node whose engines were ended.
    assert.equal(await call(at(a!, second!), 'eth_chainId'), '0x7a69');
    assert.equal((await create(a!)).code, 42901);
    const owner = await team.ownerOf(third);
    const other = team.otherThan(owner);
    signalAll(childrenOf(owner.child.pid!), 'SIGKILL');
    await owner.kill();
    await team.expire(owner);
    // The fork counts for its new node, and not for the dead one as well.
    for (const fork of [second!, third]) {
      assert.equal(await call(at(other, fork), 'eth_chainId'), '0x7a69');
    }
    assert.equal((await create(other)).code, 42901);
  });

  it('count the requests of a minute on all nodes', async () => {
    const limit = 40;
    await start({ user: { requestsPerMinute: limit } });
    const [a, b] = team.nodes;
    // The minute began with the request for the project, before the second node started.
    await team.query('UPDATE forklens.quotas SET began_at = now()');
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        team.request(index % 2 === 0 ? a! : b!, 'GET', '/v1/projects'),
      ),
    );
    // One request was that for the project.
    assert.equal(answers.filter(({ code }) => code === 0).length, limit - 1);
    const refused = answers.filter(({ code }) => code === 42902);
    assert.equal(refused.length, 60 - limit + 1);
    for (const { status, headers } of refused) {
      assert.equal(status, 429);
      const seconds = Number(headers.get('retry-after'));
      assert.ok(seconds > 0 && seconds <= 60, String(seconds));
    }
  });
});
