import assert from 'node:assert/strict';
import { placeAt } from '../../../server/debugger/recording/program';
import type { StepDepth } from '../../../server/debugger/recording/stop-list';
import type { Stops } from '../../../server/debugger/recording/stops';
import { debug } from './debugged';
import type { Settings } from './solidity';

const source = (body: string): string => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Till {
    struct Sale { uint256 id; uint256 amount; }
    uint256 total; uint256 count;
    function add(uint256 amount) external returns (uint256) {
${body}
    }
    function other(uint256 a) external returns (uint256) { total = a; return a; }
    function twice(uint256 a) internal pure returns (uint256) { uint256 b = a + a; return b; }
}`;

/** Statements that share lines, and statements on several lines. */
const SHARED = source(`
        total += amount; count++; // one; two
        if (total > 100) return 0;
        if (amount > 2) { total += 1; count += 2; } else total = 1;
        Sale memory sale = Sale({
            id: count,
            amount: twice(
                amount
            )
        });
        for (uint256 i = 0; i < 2; i++) { total += i; count += sale.id; }
        require(
            total > 3 &&
                count > 1,
            "a; b {"
        );
        this.other{gas: 50_000}(1); total++;
        assembly {
            let one := sload(0)
            sstore(1, add(one, 2))
        }
        return total;`);

/** Statements with others inside: after these, no stop is at their head again unless it is executed again. */
const COMPOUND = source(`
        if (amount > 2) {
            total += 1;
        } else {
            total = 1;
        }
        if (amount > 2) {
            total += 2;
        }
        while (total < 5) {
            total++;
            if (total == 4) { continue; }
            count++;
        }
        do {
            total++;
        } while (total < 7);
        for (uint256 i = 0; i < 2; i++) {
            if (i == 1) {
                total++;
            } else {
                count++;
            }
        }
        try this.other(1) returns (uint256 b) {
            total += b;
        } catch {
            count++;
        }
        return total;`);

interface Stepped {
  stops: Stops;
  /** Line and column of a stop. */
  placeOf: (step: number | undefined) => string;
  steps: number;
}

function step(text: string, settings: Settings): Stepped {
  const { recording, stops, contracts } = debug({
    text,
    contract: 'Till',
    settings,
    call: 'function add(uint256)',
    values: [5],
    // The stops of optimized code are others.
    facts: (facts) => ({ ...facts, ...facts.compiler }),
  });
  assert.equal(recording.end?.kind, 'returned');
  const { program } = contracts['Till']!.deployed;
  const placeOf = (at: number | undefined): string => {
    const place = at === undefined ? undefined : placeAt(program, recording.at(at).pc);
    return place ? `${place.startLine}:${place.startColumn}` : '';
  };
  return { stops, placeOf, steps: recording.steps };
}

function walk({ stops, steps }: Stepped, direction: 1 | -1, depth: StepDepth): number[] {
  const found: number[] = [];
  let at: number | undefined = direction === 1 ? -1 : steps;
  while ((at = stops.find(at, direction, depth, 'statement')) !== undefined) found.push(at);
  return found;
}

const OPTIMIZED = { optimizer: { enabled: true, runs: 200 } };

/** Places of the stops from the first one on, over calls. */
function over(stepped: Stepped): string[] {
  const { stops, placeOf } = stepped;
  const places: string[] = [];
  let at = stops.find(-1, 1, 'into', 'statement');
  for (; at !== undefined; at = stops.find(at, 1, 'over', 'statement')) places.push(placeOf(at));
  return places;
}

describe('stepping by statement', () => {
  it('stops at each statement of a line, and once at one of several lines', () => {
    const before = '6:52 8:18 8:26 9:21 10:22 10:36 10:48 11:9';
    const round = '17:52 17:64 17:36';
    const after = '19:21 23:9 23:37 25:30 26:32 28:16';
    assert.equal(over(step(SHARED, {})).join(' '), `${before} 17:14 ${round} ${round} ${after}`);
  });

  it('stops at a part of a line where its line is one stop', () => {
    const { stops, placeOf } = step(SHARED, {});
    const lines = [stops.find(-1, 1)!];
    for (let n = 0; n < 4; n++) lines.push(stops.find(lines.at(-1)!, 1, 'over')!);
    assert.deepEqual(lines.map(placeOf), ['6:52', '8:18', '9:21', '10:22', '11:9']);
  });

  it('goes into calls, and back to the rest of the statement', () => {
    const stepped = step(SHARED, {});
    const places = walk(stepped, 1, 'into').map(stepped.placeOf);
    assert.deepEqual(places.slice(7, 12), ['11:9', '31:54', '31:65', '31:91', '13:21']);
  });

  for (const settings of [{}, OPTIMIZED]) {
    it(`stops at the head of others only when it is executed, with ${JSON.stringify(settings)}`, () => {
      const lines = over(step(COMPOUND, settings)).map((place) => place.split(':')[0]);
      const [ifs, rounds] = ['8 9 13 14', '16 17 18 18 16 17 18 19 16'];
      const loops = '22 23 22 23 24 25 28 24 25 26 24';
      assert.equal(lines.join(' '), `6 ${ifs} ${rounds} ${loops} 31 32 36`);
    });
  }

  for (const settings of [{}, OPTIMIZED, { viaIR: true }, { viaIR: true, ...OPTIMIZED }]) {
    it(`is the same backwards, with ${JSON.stringify(settings)}`, () => {
      for (const text of [SHARED, COMPOUND]) {
        const stepped = step(text, settings);
        const forwards = walk(stepped, 1, 'into');
        assert.ok(forwards.length > 15);
        assert.deepEqual(walk(stepped, -1, 'into').reverse(), forwards);
      }
    });
  }
});
