import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import type { Recording } from '../../../server/debugger/recording';
import { sourceCallsWork, type SourceCalls } from '../../../server/debugger/source-calls';
import { Stops } from '../../../server/debugger/stops';
import { finish } from './finish';
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

interface Debugged {
  recording: Recording;
  calls: SourceCalls;
  stops: Stops;
}

function debug(settings: object): Debugged {
  const { code, program } = compile('Counter', TEXT, settings);
  const data = new Interface(['function add(uint256)']).encodeFunctionData('add', [5]);
  const recording = recordCall({ [CALLER]: code }, { input: Buffer.from(data.slice(2), 'hex') });
  assert.equal(recording.end?.kind, 'returned');
  const calls = finish(sourceCallsWork(recording, () => program));
  return { recording, calls, stops: finish(Stops.work(recording, calls, () => program)) };
}

const linesOf = ({ stops }: Debugged): number[] =>
  Array.from({ length: stops.count }, (_, stop) => stops.line(stop)!.line);

/** Each round of the loop: its body, the function that it calls, the increment, and the condition. */
const ROUND = [9, 13, 14, 15, 8, 8];

describe('stepping through Solidity', () => {
  const debugged = debug({});
  const { stops } = debugged;
  const stepOfLine = (line: number): number => stops.steps[linesOf(debugged).indexOf(line)]!;
  /** Line of the next stop after the first one on a line. */
  const from = (line: number, direction: 1 | -1, deeper: number): number | undefined => {
    const step = stepOfLine(line);
    const found = stops.find(step, direction, stops.depthAt(step) + deeper);
    return found === undefined ? undefined : stops.line(stops.indexAt(found))!.line;
  };

  it('goes into functions, line by line', () => {
    const rounds = [...ROUND, ...ROUND, ...ROUND];
    assert.deepEqual(linesOf(debugged), [5, 6, 7, 13, 14, 15, 8, ...rounds, 11]);
  });

  it('goes over functions, forwards and backwards', () => {
    assert.deepEqual([from(7, 1, 0), from(8, -1, 0)], [8, 7]);
    assert.deepEqual([from(11, -1, 0), from(11, 1, 0)], [8, undefined]);
  });

  it('goes out of functions, forwards and backwards', () => {
    assert.deepEqual([from(14, 1, -1), from(14, -1, -1)], [8, 7]);
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
    const add = calls[plus.parent!]!;
    assert.ok(add.firstStep < plus.firstStep && plus.endStep < add.endStep);
    assert.equal(callOf[stepOfLine(6)], calls.indexOf(add));
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

    it('are in calls that contain them', () => {
      for (let step = 0; step < recording.steps; step++) {
        const { firstStep, endStep } = calls.calls[calls.callOf[step]!]!;
        assert.ok(firstStep <= step && step < endStep, `step ${step}`);
      }
    });
  });
}
