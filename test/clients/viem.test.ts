import assert from 'node:assert/strict';
import { HardhatProject } from './hardhat-project';
import { Nodes } from './nodes';
import { compare } from './outcomes';
import { OWN_REFUSALS, runChecks } from './run-checks';
import { viemChecks } from './viem.checks';

/** The quick part of `clients.long.test.ts`, which compares the checks of all libraries. */
describe('viem on a fork and on bare anvil', function () {
  this.timeout(180_000);
  let nodes: Nodes;
  let project: HardhatProject;
  before(async () => {
    [nodes, project] = await Promise.all([Nodes.start(), HardhatProject.compile()]);
  });
  after(async () => {
    await nodes.close();
    await project.close();
  });

  it('passes our checks on both nodes', async () => {
    const checks = viemChecks(project.artifacts);
    const anvil = await runChecks(checks, nodes, 'anvil');
    const fork = await runChecks(checks, nodes, 'fork');
    const { both, onlyHere, onlyThere, refused, neither } = compare({ anvil, fork }, OWN_REFUSALS);
    assert.deepEqual([onlyThere, refused, neither], [[], ['proofs of accounts'], []]);
    assert.equal(both + onlyHere, checks.length - 1);
  });
});
