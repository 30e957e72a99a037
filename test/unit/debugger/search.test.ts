import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import { Search, type Conditions } from '../../../server/debugger/search';
import { sourceCallsWork } from '../../../server/debugger/source-calls';
import { Stops } from '../../../server/debugger/stops';
import { finish } from './finish';
import { CALLER, recordCall } from './record';
import { compile } from './solidity';

const TEXT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Ledger {
    mapping(uint256 => uint256) public values;
    uint256 public count;
    event Set(uint256 key);
    function run() external {
        set(1, 10);
        set(2, 20);
        try this.fail(3) {} catch { count = 7; }
        set(4, 40);
    }
    function fail(uint256 key) external pure {
        require(key == 0, "no");
    }
    function set(uint256 key, uint256 value) internal {
        values[key] = value;
        count++;
        emit Set(key);
    }
}`;
const FILE = 'Ledger.sol';

describe('the search of a recording', () => {
  const { code, program } = compile('Ledger', TEXT);
  const data = new Interface(['function run()']).encodeFunctionData('run');
  const recording = recordCall({ [CALLER]: code }, { input: Buffer.from(data.slice(2), 'hex') });
  const calls = finish(sourceCallsWork(recording, () => program));
  const stops = finish(Stops.work(recording, calls, () => program));
  const search = new Search(recording, stops);

  /** Lines and reasons of all hits, in one direction. */
  function walk(conditions: Conditions, direction: 1 | -1): string[] {
    const hits: string[] = [];
    let hit = search.find(direction === 1 ? -1 : recording.steps, direction, conditions);
    while (hit.reason !== 'end' && hit.reason !== 'entry') {
      hits.push(`${hit.reason} ${stops.lineAt(hit.step)?.line}`);
      hit = search.find(hit.step, direction, conditions);
    }
    return hits;
  }

  for (const [what, conditions, expected] of [
    ['a line', { lines: [{ file: FILE, line: 17 }] }, ['line 17', 'line 17', 'line 17']],
    [
      'writes of a slot',
      { slots: [{ address: CALLER, slot: 1n }] },
      [18, 18, 10, 18].map((line) => `store ${line}`),
    ],
    ['logs', { logs: true }, ['log 19', 'log 19', 'log 19']],
    ['all failures', { failures: 'all' }, ['failure 14']],
    ['failures that nothing catches', { failures: 'uncaught' }, []],
    ['nothing', {}, []],
    ['a line of another file', { lines: [{ file: 'Other.sol', line: 17 }] }, []],
    ['a line without code', { lines: [{ file: FILE, line: 1 }] }, []],
    ['a slot of another contract', { slots: [{ address: `0x${'dd'.repeat(20)}`, slot: 1n }] }, []],
  ] as [string, Conditions, string[]][]) {
    it(`stops at ${what}, forwards and backwards`, () => {
      assert.deepEqual(walk(conditions, 1), expected);
      assert.deepEqual(walk(conditions, -1).reverse(), expected);
    });
  }

  it('stops at the nearest of several conditions', () => {
    const conditions: Conditions = {
      lines: [{ file: FILE, line: 11 }],
      logs: true,
      failures: 'all',
    };
    const expected = ['log 19', 'log 19', 'failure 14', 'line 11', 'log 19'];
    assert.deepEqual(walk(conditions, 1), expected);
    assert.deepEqual(walk(conditions, -1).reverse(), expected);
  });

  it('ends at the last step, and at the first stop', () => {
    assert.deepEqual(search.find(5, 1, {}), { step: recording.steps - 1, reason: 'end' });
    assert.deepEqual(search.find(5, -1, {}), { step: stops.steps[0], reason: 'entry' });
  });
});
