import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Fork } from '../../server/api/fork';
import { call } from '../support/json-rpc';
import { describeWith } from '../support/programs';
import type { TestService } from '../support/service';
import { usePostgres } from '../support/storages';
import { addSleepingForks, forksOf } from './sleeping-forks';
import { at, Team } from './team';

const FORKS = 100_000;
const PROJECTS = 1_000;
/** Memory that a node may need more beside these forks than beside one: records in its memory would take several times that. */
const MORE_BYTES = 48 * 1024 * 1024;

/** Resident memory of a node, in bytes. */
async function memoryOf({ child }: TestService): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) * 1024;
}

describeWith(['initdb'], 'a node on a database with 100,000 sleeping forks', function () {
  this.timeout(240_000);
  const postgres = usePostgres();
  let team: Team;
  let first: Fork;
  let memory: number;
  let node: TestService;
  before(async () => {
    team = await Team.start(postgres(), 1);
    const [only] = [team.nodes[0]!];
    first = await team.createFork(only);
    await team.sleep(first);
    memory = await memoryOf(only);
    await addSleepingForks(team, first, { forks: FORKS, projects: PROJECTS });
    node = await team.add();
  });
  after(() => team.stop());

  it('reads none of them at its start', async () => {
    const more = (await memoryOf(node)) - memory;
    assert.ok(more < MORE_BYTES, `${more} bytes more`);
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
