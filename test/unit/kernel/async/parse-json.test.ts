import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseJsonWork } from '../../../../server/kernel/async/parse-json';
import { atOnce } from '../../../../server/kernel/async/slices';

const parse = (text: string, piece: number): unknown =>
  atOnce(parseJsonWork(Buffer.from(text), piece, piece));
const outcome = (run: () => unknown): unknown => {
  try {
    return { value: run() };
  } catch (error) {
    return (error as Error).name;
  }
};

describe('JSON parsed in pieces', () => {
  it('equals the result of JSON.parse, whatever the size of the pieces', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(2), fc.integer({ min: 1, max: 40 }), (json, indent, piece) => {
        const text = JSON.stringify(JSON.parse(json), undefined, indent);
        assert.deepEqual(parse(text, piece), JSON.parse(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is rejected if JSON.parse rejects it', () => {
    const damage = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), by: fc.string() });
    const broken = fc.tuple(fc.json(), damage).map(([text, { at, by }]) => {
      const index = Math.floor(at * text.length);
      return text.slice(0, index) + by + text.slice(index + 1);
    });
    const structural = fc.string({ unit: fc.constantFrom(...Array.from('[]{},:"1a\\ ')) });
    fc.assert(
      fc.property(fc.oneof(broken, structural), fc.integer({ min: 1, max: 9 }), (text, piece) => {
        assert.deepEqual(
          outcome(() => parse(text, piece)),
          outcome(() => JSON.parse(text)),
          text,
        );
      }),
      { numRuns: 5_000 },
    );
  });

  for (const text of [
    '[1,[2,3,4],]',
    '[[1,2,3,4],,5]',
    '{"a":[1,2,3,4] "b":1}',
    '[1,2,3,4}',
    '[[1,2,3,4] 5]',
    '{"a"{"b":1,"c":[2,3,4]}}',
    '{"a" 1 [1,2,3,4]}',
    '{[1,2,3,4]}',
    '{"a":1,[1,2,3,4]}',
  ]) {
    it(`rejects ${text}`, () => {
      assert.throws(() => parse(text, 2), SyntaxError);
    });
  }

  it('treats __proto__ as a member like any other', () => {
    const text = '{"a":[1,2,3],"__proto__":{"b":[4,5,6]},"c":7}';
    const parsed = parse(text, 2) as object;
    assert.deepEqual(Object.keys(parsed), ['a', '__proto__', 'c']);
    assert.equal(Object.getPrototypeOf(parsed), Object.prototype);
  });

  it('parses a large list in many steps, at any depth', () => {
    const depth = 2_000;
    const text = `${'{"calls":['.repeat(depth)}${'"0x00",'.repeat(100_000)}1${']}'.repeat(depth)}`;
    const work = parseJsonWork(Buffer.from(text), undefined, 0);
    let steps = 0;
    let next = work.next();
    for (; next.done !== true; next = work.next()) steps++;
    assert.ok(steps >= 10, `${steps} steps`);
    let { value } = next;
    for (let level = 1; level < depth; level++) value = (value as Tree).calls[0];
    assert.deepEqual((value as Tree).calls, [...Array<string>(100_000).fill('0x00'), 1]);
  });
});

interface Tree {
  calls: unknown[];
}
