import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import { LIMITS } from '../../../server/api/limits';
import { findBody, type FindRequest, type Found } from '../../../server/api/recording-search';
import type { DebuggedTransaction } from '../../../server/debugger/session/debugged-transaction';
import type { Evaluate } from '../../../server/debugger/session/evaluate';
import { findStop } from '../../../server/debugger/session/find-stop';
import { debugCall } from './debug-call';
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
        set(3, 30);
    }

    function set(uint256 key, uint256 value) internal {
        count++;
        emit Set(key);

        values[key] = value;
    }
}`;
const FILE = 'Ledger.sol';
const ABI = ['function run()', 'event Set(uint256 key)'];
const SIGNAL = new AbortController().signal;
/** Logpoints on one line. */
const logpoints = (count: number, message: string): FindRequest['lines'] =>
  Array.from({ length: count }, (_, id) => ({ id, file: FILE, line: 17, message }));

describe('a search with many breakpoints', () => {
  let debugged: DebuggedTransaction;
  before(async () => {
    const data = new Interface(ABI).encodeFunctionData('run');
    const input = Buffer.from(data.slice(2), 'hex');
    debugged = await debugCall(compile('Ledger', TEXT), { input }, ABI);
  });

  const search = (
    from: number,
    request: Partial<FindRequest>,
    evaluate: Evaluate,
  ): Promise<Found> => {
    const body = { from, direction: 'forwards', mode: 'continue', ...request };
    return findStop(debugged, findBody.parse(body), evaluate, SIGNAL);
  };

  describe('with many logpoints', () => {
    const longText: Evaluate = () => Promise.resolve({ isTrue: true, text: 'x'.repeat(60_000) });

    it('ends where the messages fill an answer, and goes on from there', async () => {
      const lines = logpoints(300, '{a}');
      const steps: number[] = [];
      let messages = 0;
      for (let from = 0, reason = 'unfinished'; reason === 'unfinished';) {
        const found = await search(from, { lines }, longText);
        assert.ok(found.logged.every(({ text }) => text.length < LIMITS.loggedMessage + 50));
        assert.equal(found.omitted, undefined);
        messages += found.logged.length;
        ({ step: from, reason } = found);
        steps.push(from);
      }
      assert.equal(messages, 900);
      assert.deepEqual(steps, [
        ...debugged.stops.stepsOf({ file: FILE, line: 17 }),
        debugged.recording.steps - 1,
      ]);
    });

    it('cuts a message, evaluates no more of it, and says so', async () => {
      let evaluations = 0;
      const counting: Evaluate = (...asked) => {
        evaluations++;
        return longText(...asked);
      };
      const { logged } = await search(0, { lines: logpoints(1, '{a}'.repeat(600)) }, counting);
      assert.equal(evaluations, 3);
      assert.equal(logged[0]!.text, `${'x'.repeat(8_192)}… (cut at 8192 characters)`);
    });

    it('counts the messages of one step that are too many', async () => {
      const { step, reason, logged, omitted } = await search(
        0,
        { lines: logpoints(1_000, '{a}') },
        longText,
      );
      assert.equal(step, debugged.stops.stepsOf({ file: FILE, line: 17 })[0]);
      assert.equal(reason, 'unfinished');
      assert.equal(logged.length + omitted!, 1_000);
      const characters = logged.reduce((sum, { text }) => sum + text.length, 0);
      assert.ok(characters < 2 * LIMITS.searchText + 2 * LIMITS.loggedMessage);
    });

    it('finishes a step, whose end another search would not find, and counts what it leaves out', async () => {
      const request = { lines: logpoints(1_000, '{a}'), mode: 'step', depth: 'over' } as const;
      const [first] = debugged.stops.stepsOf({ file: FILE, line: 8 });
      const plain = await search(first ?? 0, { mode: 'step', depth: 'over' }, longText);
      const found = await search(first ?? 0, request, longText);
      assert.deepEqual([found.step, found.reason], [plain.step, 'step']);
      assert.equal(found.logged.length + found.omitted!, 1_000);
    });
  });

  it('processes other requests between the conditions of one step, and can be cancelled there', async () => {
    const lines = Array.from({ length: 900 }, (_, id) => ({
      id,
      file: FILE,
      line: 17,
      condition: 'slow',
    }));
    const cancelled = new AbortController();
    let evaluations = 0;
    const slow: Evaluate = () => {
      evaluations++;
      const end = performance.now() + 2;
      while (performance.now() < end);
      return Promise.resolve({ isTrue: false, text: '' });
    };
    setImmediate(() => {
      cancelled.abort(new Error('cancelled'));
    });
    const body = findBody.parse({ from: 0, direction: 'forwards', mode: 'continue', lines });
    await assert.rejects(findStop(debugged, body, slow, cancelled.signal), /cancelled/);
    assert.ok(evaluations < 900, String(evaluations));
  });
});
