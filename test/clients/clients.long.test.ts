import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from './check';
import { ethersChecks } from './ethers.checks';
import { FOREIGN_SUITES, runForeign } from './suites/run-suite';
import { FORM, ONLY, UPDATE } from './run-length';
import { HardhatProject } from './hardhat-project';
import { Nodes } from './nodes';
import { compare, type Comparison, type Refusal, type Runs } from './outcomes';
import { OWN_REFUSALS, runChecks } from './run-checks';
import { missingRows, writeClients, type Row } from './table';
import { viemChecks } from './viem.checks';
import { web3Checks } from './web3.checks';

const MINUTES = 60_000;

/** Version of the installed package. */
function versionOf(module: string): string {
  const file = join(__dirname, '../../node_modules', module, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** A client test that passes on bare anvil must pass on a fork. The tests are written without knowledge of forks. */
describe('clients on a fork and on bare anvil', function () {
  this.timeout(45 * MINUTES);
  const rows: Row[] = [];
  let nodes: Nodes;
  let project: HardhatProject;

  before(async () => {
    [nodes, project] = await Promise.all([Nodes.start(), HardhatProject.compile()]);
  });
  after(async () => {
    await nodes.close();
    await project.close();
  });

  function judge(
    suite: string,
    version: string,
    runs: Runs,
    refusals: readonly Refusal[],
  ): Comparison {
    const comparison = compare(runs, refusals);
    rows.push({ suite, version, runs, refusals, comparison });
    const { both, onlyThere } = comparison;
    assert.deepEqual(onlyThere, [], 'passes on bare anvil and not on the fork');
    assert.ok(both > 0, 'no test passed on both nodes');
    return comparison;
  }

  /** Our own checks must not fail on both nodes either. */
  function judgeOwn(suite: string, version: string, runs: Runs): void {
    const { neither } = judge(suite, version, runs, OWN_REFUSALS);
    const why = neither.map((test) => [test, runs.fork.outcomes.get(test)]);
    assert.deepEqual(why, [], 'fails on both nodes');
  }

  const wants = (name: string): boolean => ONLY === undefined || ONLY.includes(name);

  function own(name: string, checks: () => readonly Check[], module = name): void {
    if (!wants(name)) return;
    it(`${name}: passes our checks on both nodes`, async () => {
      const all = checks();
      const anvil = await runChecks(all, nodes, 'anvil');
      const fork = await runChecks(all, nodes, 'fork');
      judgeOwn(`our checks with ${name}`, versionOf(module), { anvil, fork });
    });
  }

  own('viem', () => viemChecks(project.artifacts));
  own('ethers', () => ethersChecks(project.artifacts));
  own('web3.js', () => web3Checks(project.artifacts), 'web3');

  if (wants('hardhat')) {
    it('hardhat: runs a project with hardhat-network-helpers and OpenZeppelin', async () => {
      const anvil = await project.run(nodes, 'anvil');
      const fork = await project.run(nodes, 'fork');
      judgeOwn('our Hardhat project', versionOf('hardhat'), { anvil, fork });
    });
  }

  for (const suite of FORM === 'long' ? FOREIGN_SUITES : []) {
    if (!wants(suite.name)) continue;
    it(`${suite.name} ${suite.version}: no test passes on bare anvil only`, async () => {
      judge(suite.name, suite.version, await runForeign(suite, nodes), suite.refusals);
    });
  }

  describe('the table of test/README.md', () => {
    it('has a row for each suite', () => {
      if (UPDATE) writeClients(rows);
      assert.deepEqual(missingRows(rows), []);
    });
  });
});
