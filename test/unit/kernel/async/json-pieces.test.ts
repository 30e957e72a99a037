import assert from 'node:assert/strict';
import { jsonPieces } from '../../../../server/kernel/async/json-pieces';

const text = (value: unknown, indent?: number): string =>
  Array.from(jsonPieces(value, indent)).join('');
const entries = (count: number): { name: string; odd?: true | undefined }[] =>
  Array.from({ length: count }, (_, i) => ({ name: `"${i}\n`, odd: i % 2 === 1 || undefined }));

/** Objects in objects, each with a list beside the next. */
function nested(depth: number): object {
  let inner: object = { end: true };
  for (let i = 0; i < depth; i++) inner = { depth: i, list: entries(3), inner, after: [i, inner] };
  return inner;
}

describe('jsonPieces', () => {
  for (const [what, value] of [
    ['a small value', { a: [1, 'x', null, true], b: {} }],
    ['a primitive', 'text'],
    ['a long list', entries(10_000)],
    ['an object with many names', Object.fromEntries(entries(5_000).map((one) => [one.name, one]))],
    ['lists in lists', Array.from({ length: 40 }, () => entries(400))],
    ['deep objects', nested(9)],
    ['empty entries', [[], {}, [{}], ...entries(3_000), {}]],
    [
      'entries that JSON leaves out',
      {
        a: undefined,
        list: [undefined, () => 1, Symbol('s'), NaN, ...entries(3_000)],
        z: undefined,
      },
    ],
    [
      'an object of which nothing is left',
      Object.fromEntries(entries(3_000).map((_, i) => [i, undefined])),
    ],
    ['a sparse list', Object.assign(new Array<object>(5_000), { 3: entries(3_000) })],
    [
      'a value with toJSON',
      { at: new Date(0), list: entries(3_000), own: { toJSON: () => 'own' } },
    ],
    [
      'a source that is kept on the disk',
      {
        expires: null,
        none: undefined,
        empty: {},
        list: [],
        text: 'é"\n',
        value: [1, undefined, { a: { b: [{ c: [[], { d: false }] }] } }, 'x'],
      },
    ],
    ['a long text', { text: 'é'.repeat(300_000), after: 1 }],
  ] as const) {
    it(`writes ${what} as JSON.stringify does`, () => {
      assert.equal(text(value), JSON.stringify(value));
      assert.equal(text(value, 2), JSON.stringify(value, null, 2));
    });
  }

  it('divides a large value into pieces of bounded size', () => {
    const pieces = Array.from(jsonPieces({ list: entries(20_000), more: [entries(20_000)] }));
    assert.ok(pieces.length > 5);
    assert.ok(Math.max(...pieces.map(({ length }) => length)) < 100_000);
  });

  it('writes values that are nested very deep', () => {
    let deep: object = entries(3_000);
    for (let i = 0; i < 2_000; i++) deep = [deep];
    assert.equal(text(deep), JSON.stringify(deep));
  });
});
