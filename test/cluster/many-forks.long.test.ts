import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import { call } from '../support/json-rpc';
import { describeWith } from '../support/programs';
import type { TestService } from '../support/service';
import { usePostgres } from '../support/storages';
import { addSleepingForks, forksOf } from './sleeping-forks';
import { at, Team } from './team';

const FORKS = 100_000;
const PROJECTS = 1_000;
/** What the database may answer to a node that starts: the ids of these forks alone take 32 times that. */
const START_BYTES = FORKS;

describeWith(['initdb'], 'a node on a database with 100,000 sleeping forks', function () {
  this.timeout(240_000);
  const postgres = usePostgres();
  let team: Team;
  let first: Fork;
  let node: TestService;
  before(async () => {
    team = await Team.start(postgres(), 1);
    const [only] = [team.nodes[0]!];
    first = await team.createFork(only);
    await team.sleep(first);
    await addSleepingForks(team, first, { forks: FORKS, projects: PROJECTS });
    node = await team.add();
  });
  after(() => team.stop());

  it('reads none of them at its start', () => {
    const { answered } = team.proxyOf(node);
    assert.ok(answered > 0 && answered < START_BYTES, `${answered} bytes`);
    assert.equal(node.stderr.filter((line) => !line.includes('"ready"')).join('\n'), '');
  });

  it('lists the forks of one project', async () => {
    const forks = await forksOf(team, 7);
    assert.equal(forks.length, FORKS / PROJECTS);
    assert.deepEqual(new Set(forks.map(({ state }) => state)), new Set(['sleeping']));
  });

  it('wakes one by its address', async () => {
    const [fork] = await forksOf(team, 8);
    assert.equal(await call(at(node, fork!), 'eth_blockNumber'), first.height);
    const states = (await forksOf(team, 8)).map(({ state }) => state);
    assert.deepEqual(states.sort().slice(0, 2), ['running', 'sleeping']);
  });
});
