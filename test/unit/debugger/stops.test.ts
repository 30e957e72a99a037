import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import type { Recording } from '../../../server/debugger/recording/recording';
import { sourceCallsWork, type SourceCalls } from '../../../server/debugger/recording/source-calls';
import type { StepDepth } from '../../../server/debugger/recording/stop-list';
import { Stops } from '../../../server/debugger/recording/stops';
import { atOnce } from '../../../server/kernel/async/slices';
import { CALLER, recordCall } from './record';
import { compile } from './solidity';

const TEXT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Counter {
    uint256 public total;
    function add(uint256 amount) external returns (uint256) {
        uint256 before = total;
        total = plus(before, amount);
        for (uint256 i = 0; i < 3; i++) {
            total = plus(total, i);
        }
        return total;
    }
    function plus(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 sum = a + b;
        return sum;
    }
}`;

const LINES = [8, 9, 10, 11, 12, 14, 15];
/** How often the source enters each of those. */
const ENTERED = [1, 3, 2, 2, 2, 5, 1];
/** The optimizer mixes instructions of lines 11 and 12; line 8 makes a loop that fills the list; line 14 is a loop by itself. */
const MIXED = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Mixed {
    struct Item { uint256 amount; bool isPaid; }
    mapping(uint256 => uint256) balances;
    uint256 rounds;
    function add(uint256 amount) external returns (uint256) {
        Item[] memory items = new Item[](3);
        for (uint256 id = 0; id < 2; id++) {
            uint256 balance = balances[id] + 9;
            balances[id] = balance - amount;
            balances[id + 1] += amount;
        }
        while (rounds < 4) rounds++;
        return items.length;
    }
}`;

interface Debugged {
  recording: Recording;
  calls: SourceCalls;
  stops: Stops;
}

function debug(settings: object, name = 'Counter', text = TEXT): Debugged {
  const { code, program: compiled } = compile(name, text, settings);
  const program = { ...compiled, ...compiled.compiler };
  const data = new Interface(['function add(uint256)']).encodeFunctionData('add', [5]);
  const recording = recordCall({ [CALLER]: code }, { input: Buffer.from(data.slice(2), 'hex') });
  assert.equal(recording.end?.kind, 'returned');
  const calls = atOnce(
    sourceCallsWork(recording, { programOf: () => program, selectedOf: () => undefined }),
  );
  return { recording, calls, stops: atOnce(Stops.work(recording, calls, () => program)) };
}

const linesOf = ({ stops }: Debugged): number[] =>
  Array.from({ length: stops.count }, (_, stop) => stops.line(stop)!.line);

/** Each round of the loop: its body, the function that it calls, the rest of the body, and the increment with the condition. */
const ROUND = [9, 13, 14, 15, 9, 8];

describe('stepping through Solidity', () => {
  const debugged = debug({});
  const { stops } = debugged;
  const stepOfLine = (line: number): number => stops.steps[linesOf(debugged).indexOf(line)]!;
  /** Line of the next stop after the first one on a line. */
  const from = (line: number, direction: 1 | -1, depth: StepDepth): number | undefined => {
    const found = stops.find(stepOfLine(line), direction, depth);
    return found === undefined ? undefined : stops.line(stops.indexAt(found))!.line;
  };

  it('goes into functions, line by line', () => {
    const rounds = [...ROUND, ...ROUND, ...ROUND];
    assert.deepEqual(linesOf(debugged), [5, 6, 7, 13, 14, 15, 7, 8, ...rounds, 11]);
  });

  it('goes over functions, forwards and backwards', () => {
    assert.deepEqual([from(7, 1, 'over'), from(8, -1, 'over')], [8, 7]);
    assert.deepEqual([from(11, -1, 'over'), from(11, 1, 'over')], [8, undefined]);
  });

  it('goes out of functions to the rest of the line that called them, and back to its beginning', () => {
    assert.deepEqual([from(14, 1, 'out'), from(14, -1, 'out')], [7, 7]);
    const rest = stops.find(stepOfLine(14), 1, 'out')!;
    assert.ok(rest > stepOfLine(14));
    assert.deepEqual(stops.find(stepOfLine(14), -1, 'out'), stepOfLine(7));
    assert.deepEqual(
      [stops.find(rest, 1, 'over'), stops.find(rest, -1)],
      [stepOfLine(8), stepOfLine(15)],
    );
  });

  it('lists the steps at which a line is entered, without the rest of a line after a call', () => {
    const file = 'Counter.sol';
    assert.deepEqual(
      [7, 9, 13, 3].map((line) => stops.stepsOf({ file, line }).length),
      [1, 3, 4, 0],
    );
  });

  it('has the calls of functions inside the call of the contract', () => {
    const { calls, callOf } = debugged.calls;
    const [external, ...internal] = calls;
    assert.deepEqual(
      [external!.kind, external!.depth, external!.parent],
      ['external', 0, undefined],
    );
    assert.ok(internal.every(({ kind }) => kind === 'internal'));
    const plus = calls[callOf[stepOfLine(14)]!]!;
    assert.ok(external!.firstStep < plus.firstStep && plus.endStep < external!.endStep);
    assert.deepEqual([plus.parent, callOf[stepOfLine(6)]], [0, 0]);
    assert.deepEqual([external!.function?.name, plus.function?.name], ['add', 'plus']);
  });
});

for (const [name, settings] of [
  ['without the optimizer', {}],
  ['with the optimizer', { optimizer: { enabled: true, runs: 200 } }],
  ['via IR', { viaIR: true }],
  ['via IR, with the optimizer', { viaIR: true, optimizer: { enabled: true, runs: 200 } }],
] as const) {
  describe(`stops of Solidity compiled ${name}`, () => {
    const { recording, stops, calls } = debug(settings);

    it('are the same backwards as forwards', () => {
      const forwards: number[] = [];
      for (let at = stops.find(-1, 1); at !== undefined; at = stops.find(at, 1)) forwards.push(at);
      const backwards: number[] = [];
      for (let at = stops.find(recording.steps, -1); at !== undefined; at = stops.find(at, -1)) {
        backwards.push(at);
      }
      assert.deepEqual(backwards.reverse(), forwards);
      assert.deepEqual(forwards, [...stops.steps]);
    });

    it('enter each line as often as the source does', () => {
      const { stops: mixed } = debug(settings, 'Mixed', MIXED);
      const counts = LINES.map((line) => mixed.stepsOf({ file: 'Mixed.sol', line }).length);
      // The optimizer of the IR leaves no instruction with the place of some lines.
      const isLossy = name === 'via IR, with the optimizer';
      const entered = counts.map((count, at) => (isLossy && count === 0 ? ENTERED[at] : count));
      assert.deepEqual(entered, ENTERED);
    });

    it('are in calls that contain them', () => {
      for (let step = 0; step < recording.steps; step++) {
        const { firstStep, endStep } = calls.calls[calls.callOf[step]!]!;
        assert.ok(firstStep <= step && step < endStep, `step ${step}`);
      }
    });
  });
}
