import assert from 'node:assert/strict';
import { debug, shown, type Debugged } from './debugged';

const TEXT = `pragma solidity ^0.8.0;
contract Long {
    function run(uint256 count) external returns (uint256 sum) {
        for (uint256 i = 0; i < count; i++) {
            uint256 tripled = i * 3;
            sum += half(tripled);
        }
    }
    function half(uint256 value) internal pure returns (uint256 result) {
        result = value / 2;
    }
}
`;

const ROUNDS = 600;
const run = (): Debugged =>
  debug({ text: TEXT, contract: 'Long', call: 'function run(uint256)', values: [ROUNDS] });

/** The line stops again after the call in it. */
const stepsOfRounds = ({ stepsAt }: Debugged): number[] =>
  stepsAt('sum += half').filter((_, index) => index % 2 === 0);

describe('the local variables of a long call', () => {
  it('are the same in any order of the steps', () => {
    const debugged = run();
    const steps = stepsOfRounds(debugged);
    const sum = (rounds: number): number =>
      Array.from({ length: rounds }, (_, i) => Math.floor((i * 3) / 2)).reduce((a, b) => a + b, 0);
    for (const round of [ROUNDS - 1, 300, 299, 7, 0, 301]) {
      const { variables } = debugged.variables.at(steps[round]!).list('locals');
      const expected = [`count = ${ROUNDS}`, `sum = ${sum(round)}`, `i = ${round}`];
      assert.deepEqual(shown(variables), [...expected, `tripled = ${round * 3}`]);
    }
  });

  it('are followed from a state near the step after the first time', () => {
    const debugged = run();
    const steps = stepsOfRounds(debugged);
    const pauses = (round: number): number =>
      [...debugged.variables.prepareWork(steps[round]!, 0)].length;
    assert.ok(pauses(ROUNDS - 1) > 10);
    assert.ok(pauses(ROUNDS - 1) <= 1);
    assert.ok(pauses(300) <= 1);
  });
});
