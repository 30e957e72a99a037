import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import { findBody, type FindRequest, type Found } from '../../../server/api/recording-search';
import { ApiError } from '../../../server/api/errors';
import type { DebuggedTransaction } from '../../../server/debugger/session/debugged-transaction';
import type { Evaluate } from '../../../server/debugger/session/evaluate';
import { findStop } from '../../../server/debugger/session/find-stop';
import { debugCall } from './debug-call';
import { CALLER } from './record';
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

const ABI = ['function run()', 'function fail(uint256)', 'event Set(uint256 key)'];
const SIGNAL = new AbortController().signal;
const slot = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;

/** The value of the stack's top word as a decimal number; an expression `n` holds where it is n. */
const never: Evaluate = () => Promise.reject(new ApiError('invalidField', 'no expressions'));

describe('the search of a recording', () => {
  let debugged: DebuggedTransaction;
  before(async () => {
    const data = new Interface(ABI).encodeFunctionData('run');
    debugged = await debugCall(
      compile('Ledger', TEXT),
      { input: Buffer.from(data.slice(2), 'hex') },
      ABI,
    );
  });

  const search = (
    from: number,
    request: Partial<FindRequest>,
    evaluate: Evaluate = never,
  ): Promise<Found> => {
    const body = { from, direction: 'forwards', mode: 'continue', ...request };
    return findStop(debugged, findBody.parse(body), evaluate, SIGNAL);
  };

  const lineOf = (step: number): number | undefined => debugged.stops.lineAt(step)?.line;

  /** Lines and reasons of all hits, in one direction. */
  async function walk(
    request: Partial<FindRequest>,
    direction: 'forwards' | 'backwards',
    evaluate?: Evaluate,
  ): Promise<string[]> {
    const hits: string[] = [];
    let at = direction === 'forwards' ? 0 : debugged.recording.steps - 1;
    for (;;) {
      const { step, reason } = await search(at, { ...request, direction }, evaluate);
      if (reason === 'end' || reason === 'entry') return hits;
      hits.push(`${reason} ${lineOf(step)}`);
      at = step;
    }
  }

  for (const [what, request, expected] of [
    ['a line', { lines: [{ id: 1, file: FILE, line: 17 }] }, ['line 17', 'line 17', 'line 17']],
    [
      'writes of a slot',
      { slots: [{ id: 1, address: CALLER, slot: slot(1), access: 'write' }] },
      [18, 18, 10, 18].map((line) => `data ${line}`),
    ],
    [
      'reads of a slot',
      { slots: [{ id: 1, address: CALLER, slot: slot(1), access: 'read' }] },
      [18, 18, 18].map((line) => `data ${line}`),
    ],
    ['events', { events: [{ id: 1, name: '*' }] }, ['event 19', 'event 19', 'event 19']],
    [
      'an event by name',
      { events: [{ id: 1, name: 'Set' }] },
      ['event 19', 'event 19', 'event 19'],
    ],
    ['another event', { events: [{ id: 1, name: 'Unset' }] }, []],
    [
      'a function',
      { functions: [{ id: 1, name: 'set' }] },
      [17, 17, 17].map((line) => `function ${line}`),
    ],
    ['a function of a contract', { functions: [{ id: 1, name: 'Ledger.fail' }] }, ['function 14']],
    ['a function of another contract', { functions: [{ id: 1, name: 'Other.fail' }] }, []],
    ['all failures', { failures: 'all' }, ['failure 14']],
    ['panics', { failures: 'panic' }, []],
    ['failures that nothing catches', { failures: 'uncaught' }, []],
    ['nothing', {}, []],
    [
      'the second hit and later ones',
      { lines: [{ id: 1, file: FILE, line: 17, hits: 2 }] },
      ['line 17', 'line 17'],
    ],
    [
      'the second hit alone',
      { lines: [{ id: 1, file: FILE, line: 17, hits: { exactly: 2 } }] },
      ['line 17'],
    ],
    [
      'each third hit',
      { lines: [{ id: 1, file: FILE, line: 17, hits: { every: 3 } }] },
      ['line 17'],
    ],
    ['a line of another file', { lines: [{ id: 1, file: 'Other.sol', line: 17 }] }, []],
    ['a line without code', { lines: [{ id: 1, file: FILE, line: 1 }] }, []],
    [
      'a slot of another contract',
      { slots: [{ id: 1, address: `0x${'dd'.repeat(20)}`, slot: slot(1), access: 'write' }] },
      [],
    ],
  ] as [string, Partial<FindRequest>, string[]][]) {
    it(`stops at ${what}, forwards and backwards`, async () => {
      assert.deepEqual(await walk(request, 'forwards'), expected);
      assert.deepEqual((await walk(request, 'backwards')).reverse(), expected);
    });
  }

  it('stops at the nearest of several breakpoints, and names those that are hit', async () => {
    const lines = [11, 19].map((line) => ({ id: line, file: FILE, line }));
    const request = { lines, failures: 'all' } as Partial<FindRequest>;
    const expected = ['line 19', 'line 19', 'failure 14', 'line 11', 'line 19'];
    assert.deepEqual(await walk(request, 'forwards'), expected);
    assert.deepEqual((await walk(request, 'backwards')).reverse(), expected);
    assert.deepEqual((await search(0, request)).ids, [19]);
  });

  it('says what happens', async () => {
    const text = async (request: Partial<FindRequest>): Promise<string> =>
      (await search(0, request)).text;
    const data = { id: 1, address: CALLER, slot: slot(1), access: 'write' } as const;
    assert.equal(
      await text({ slots: [data] } as Partial<FindRequest>),
      `slot ${slot(1)}: ${slot(0)} -> ${slot(1)}`,
    );
    assert.equal(await text({ events: [{ id: 1, name: '*' }] }), 'Set');
    assert.equal(await text({ failures: 'all' }), 'no');
  });

  it('ends at the last step, and at the first stop', async () => {
    const { recording, stops } = debugged;
    const nothing = { ids: [], text: '', logged: [] };
    assert.deepEqual(await search(5, {}), { step: recording.steps - 1, reason: 'end', ...nothing });
    const back = await search(500, { direction: 'backwards' });
    assert.deepEqual(back, { step: stops.steps[0], reason: 'entry', ...nothing });
  });

  describe('with conditions', () => {
    /** An expression is a number: it holds at steps of which it is the hit, counted from 1 along line 17. */
    const evaluate: Evaluate = (step, expression) => {
      const hit = debugged.stops.stepsOf({ file: FILE, line: 17 }).indexOf(step) + 1;
      return Promise.resolve({
        isTrue: expression.split(' ').includes(String(hit)),
        text: `${expression}=${hit}`,
      });
    };
    const line = { id: 7, file: FILE, line: 17 };

    it('stops where they hold', async () => {
      const lines = [{ ...line, condition: '1 3' }];
      assert.equal((await walk({ lines }, 'forwards', evaluate)).length, 2);
      assert.equal((await walk({ lines }, 'backwards', evaluate)).length, 2);
    });

    for (const direction of ['forwards', 'backwards'] as const) {
      it(`ends after a number of expressions, and goes on from there, ${direction}`, async () => {
        const hits = [...debugged.stops.stepsOf({ file: FILE, line: 17 })];
        if (direction === 'backwards') hits.reverse();
        const request = { lines: [{ ...line, condition: 'never' }], direction, evaluations: 2 };
        const from = direction === 'forwards' ? 0 : debugged.recording.steps - 1;
        const nothing = { ids: [], text: '', logged: [] };
        const part = await search(from, request, evaluate);
        assert.deepEqual(part, { step: hits[1], reason: 'unfinished', ...nothing });
        const end = await search(part.step, request, evaluate);
        assert.equal(end.reason, direction === 'forwards' ? 'end' : 'entry');
        const third = { ...request, lines: [{ ...line, condition: '3' }], evaluations: 1 };
        const stops: string[] = [];
        for (let at = from; stops.length < 3;) {
          const { step, reason } = await search(at, third, evaluate);
          stops.push(`${reason} ${hits.indexOf(step)}`);
          at = step;
        }
        assert.deepEqual(
          stops,
          direction === 'forwards'
            ? ['unfinished 0', 'unfinished 1', 'line 2']
            : ['line 0', 'unfinished 1', 'unfinished 2'],
        );
      });
    }

    it('counts hits at which they hold', async () => {
      const lines: FindRequest['lines'] = [{ ...line, condition: '1 3', hits: 2 }];
      const [first, , third] = debugged.stops.stepsOf({ file: FILE, line: 17 });
      assert.equal((await search(0, { lines }, evaluate)).step, third);
      const last = debugged.recording.steps - 1;
      const back = { lines, direction: 'backwards' } as const;
      assert.equal((await search(last, back, evaluate)).step, third);
      lines[0]!.hits = { exactly: 1 };
      assert.equal((await search(last, back, evaluate)).step, first);
    });

    for (const direction of ['forwards', 'backwards'] as const) {
      it(`counts hits where a search in parts goes on, without evaluating those before again, ${direction}`, async () => {
        let asked = 0;
        const counting: Evaluate = (...args) => {
          asked++;
          return evaluate(...args);
        };
        // Of its own, because what is known of a condition is kept.
        const condition = `1 2 3 ${direction}`;
        const request = { lines: [{ ...line, condition, hits: { exactly: 2 } }], evaluations: 1 };
        const hits = debugged.stops.stepsOf({ file: FILE, line: 17 });
        const stops: string[] = [];
        let at = direction === 'forwards' ? 0 : debugged.recording.steps - 1;
        for (let part = 0; part < 3; part++) {
          const { step, reason } = await search(at, { ...request, direction }, counting);
          stops.push(`${reason} ${hits.indexOf(step)}`);
          at = step;
        }
        assert.deepEqual(
          stops,
          direction === 'forwards'
            ? ['unfinished 0', 'line 1', 'unfinished 2']
            : ['unfinished 2', 'line 1', 'unfinished 0'],
        );
        // Backwards, the first part counts the hits before it.
        assert.equal(asked, direction === 'forwards' ? 3 : 5);
      });
    }

    it('logs messages without a stop', async () => {
      const lines = [{ ...line, message: 'now {a} and {b}' }];
      const { reason, logged } = await search(0, { lines }, evaluate);
      assert.equal(reason, 'end');
      assert.deepEqual(
        logged.map(({ id, text }) => [id, text]),
        [1, 2, 3].map((hit) => [7, `now a=${hit} and b=${hit}`]),
      );
    });

    for (const [message, text] of [
      ['{f({x: {y}, z})}!', 'f({x: {y}, z})=1!'],
      ['a { brace', 'a { brace'],
      ['a } brace {b}', 'a } brace b=1'],
    ] as const) {
      it(`logs messages with braces in expressions, and single ones: ${message}`, async () => {
        const { logged } = await search(0, { lines: [{ ...line, message }] }, evaluate);
        assert.equal(logged[0]?.text, text);
      });
    }

    it('passes on what is wrong with an expression', async () => {
      await assert.rejects(search(0, { lines: [{ ...line, condition: 'x' }] }), {
        kind: 'invalidField',
      });
    });
  });

  describe('step by step', () => {
    const along = async (
      count: number,
      first: number,
      request: Partial<FindRequest>,
    ): Promise<number[]> => {
      const steps = [first];
      for (let i = 0; i < count; i++) {
        steps.push((await search(steps.at(-1)!, { mode: 'step', ...request })).step);
      }
      return steps;
    };

    for (const granularity of ['line', 'statement', 'instruction'] as const) {
      it(`comes back the same way, ${granularity} by ${granularity}`, async () => {
        const first = debugged.stops.steps[0]!;
        const forwards = await along(15, first, { granularity });
        const backwards = await along(15, forwards.at(-1)!, {
          granularity,
          direction: 'backwards',
        });
        assert.deepEqual(backwards.reverse(), forwards);
        assert.equal(new Set(forwards).size, 16);
      });
    }

    it('goes over and out of functions by instruction', async () => {
      const inside = debugged.stops.stepsOf({ file: FILE, line: 17 })[0]!;
      const { calls, callOf } = debugged.calls;
      const { firstStep, endStep } = calls[callOf[inside]!]!;
      const step = async (from: number, request: Partial<FindRequest>): Promise<number> =>
        (await search(from, { mode: 'step', granularity: 'instruction', ...request })).step;
      assert.equal(await step(inside, { depth: 'out' }), endStep);
      assert.equal(await step(inside, { depth: 'out', direction: 'backwards' }), firstStep - 1);
      assert.equal(await step(firstStep - 1, { depth: 'over' }), endStep);
      assert.equal(await step(endStep, { depth: 'over', direction: 'backwards' }), firstStep - 1);
      assert.equal(await step(firstStep - 1, { depth: 'into' }), firstStep);
    });

    it('stops at a breakpoint on the way', async () => {
      const [first] = debugged.stops.stepsOf({ file: FILE, line: 8 });
      const lines = [{ id: 3, file: FILE, line: 18 }];
      const over = await search(first!, { mode: 'step', depth: 'over' });
      assert.deepEqual([over.reason, lineOf(over.step)], ['step', 9]);
      const held = await search(first!, { mode: 'step', depth: 'over', lines });
      assert.deepEqual([held.reason, lineOf(held.step), held.ids], ['line', 18, [3]]);
    });
  });
});
