import assert from 'node:assert/strict';
import { debug } from './debugged';
import type { Settings } from './solidity';

const TEXT = `
contract Pending {
    struct Pair { uint64 a; uint64 b; uint128 c; }
    uint256 x;
    uint256 untouched;
    Pair pair;
    mapping(uint256 => uint256) sums;
    mapping(uint256 => Pair) pairs;
    uint256[] list;
    address other;
    function run(uint256 n) external {
        x = 1; // 1
        x = 2; // 2
        pair.a = 1;
        pair.b = 2;
        pair.c = 3; // 3
        sums[n] = 4;
        sums[n] = 5; // 4
        x = 3;
        Pair storage own = pairs[n];
        own.a = 7;
        own.b = 8; // 5
        inner(n);
        list.push(n); // 6
        list.push(n + 1);
        x = 4; // 7
        x = x + 1;
        if (n == 9) revert("nine"); // 8
    }
    function inner(uint256 n) internal {
        x += n; // 9
        pair.b = 9;
        sums[n] += x; // 10
    }
    function total() public view returns (uint256) { return x + pair.b; }
}
`;

const NAMES = [
  'x',
  'untouched',
  'pair',
  'pair.b',
  'sums[9]',
  'pairs[9].a',
  'list.length',
  'total()',
];
const PENDING =
  'it was compiled with the optimizer, which may write a variable after its line, or not at all';

describe('state of optimized code', () => {
  const at = (settings: Settings, n = 8) =>
    debug({
      text: TEXT,
      contract: 'Pending',
      call: 'function run(uint256)',
      values: [n],
      settings,
      otherStorage: () => 0n,
    });

  for (const settings of [
    { optimizer: { enabled: true, runs: 1 } },
    { optimizer: { enabled: true, runs: 200 } },
    { viaIR: true, optimizer: { enabled: true, runs: 200 } },
  ] satisfies Settings[]) {
    it(`is assumed where a write may be pending: ${JSON.stringify(settings)}`, () => {
      const debugged = at(settings);
      const { firstStep, endStep } = debugged.recording.frames[0]!;
      const assumed = (step: number): string[] => {
        const variables = debugged.variables.at(step);
        return NAMES.filter((name) => variables.evaluate(name).assumption === PENDING);
      };
      const middle = [...debugged.stops.steps].slice(1);
      const all = NAMES.filter((name) => name !== 'untouched');
      for (const step of middle) {
        const found = assumed(step);
        // Without the IR, what only later blocks of code write is proved.
        if ('viaIR' in settings) assert.deepEqual(found, all, `${step}`);
        else assert.deepEqual(found.slice(0, 2), ['x', 'pair'], `${step}`);
      }
      assert.deepEqual([firstStep, endStep - 1].map(assumed), [[], []]);
      assert.equal(debugged.variables.at(endStep - 1).evaluate('x').value, '5');
      const [state] = debugged.variables.at(middle[0]!).list('state').variables;
      assert.deepEqual([state?.name, state?.assumption], ['x', PENDING]);
    });
  }

  it('is proved without the optimizer', () => {
    for (const settings of [{}, { viaIR: true }]) {
      const debugged = at(settings);
      for (const step of debugged.stops.steps) {
        const variables = debugged.variables.at(step);
        for (const name of NAMES) assert.equal(variables.evaluate(name).assumption, undefined);
      }
    }
  });

  it('is assumed up to a failure, before which the optimizer writes nothing', () => {
    const debugged = at({ viaIR: true, optimizer: { enabled: true, runs: 200 } }, 9);
    const { endStep } = debugged.recording.frames[0]!;
    assert.equal(debugged.variables.at(endStep - 1).evaluate('x').assumption, PENDING);
  });
});
