import fc from 'fast-check';

const DEEP = JSON.parse('['.repeat(60) + ']'.repeat(60)) as unknown;

/** Texts that break naive code. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '0x',
    '0xg',
    '0x0',
    '-0x1',
    '0x-1',
    '0X1',
    '1e5',
    '-1',
    '0.5',
    '٣',
    'NaN',
    'null',
    'latest',
    'pending',
    'earliest',
    'safe',
    'finalized',
    'true',
    '[object Object]',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '../../../etc/passwd',
    '..',
    '.',
    '/',
    '\\',
    '%00',
    '<script>alert(1)</script>',
    '\u202eabc',
    '\ud800',
    '\r\nX: y',
    "'",
    '"',
    '${1}',
    '{{1}}',
    '`id`',
    'http://127.0.0.1:1/',
    'file:///etc/passwd',
    'fl_',
    `fl_${'0'.repeat(52)}`,
    `0x${'f'.repeat(64)}`,
    `0x${'f'.repeat(65)}`,
    `0x${'0'.repeat(200)}1`,
    `0x${'f'.repeat(40)}`,
    `0x${'0'.repeat(40)}`,
    '0xffffffffffffffff',
    '0x8000000000000000',
    '9'.repeat(80),
    '9007199254740993',
    '115792089237316195423570985008687907853269984665640564039457584007913129639936',
    'x'.repeat(5_000),
    `0x${'ab'.repeat(5_000)}`,
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

const hostileNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    -1,
    1,
    0.5,
    2 ** 31,
    2 ** 32,
    2 ** 53,
    2 ** 53 + 2,
    2 ** 64,
    1e21,
    1e308,
    -1e308,
  ),
  fc.integer(),
);

/** Hostile JSON values. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 3, arbitrary: hostileNumber },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      [],
      {},
      [[]],
      [null],
      { data: {} },
      { toString: 1 },
      { length: -1 },
      { blockHash: '0x1' },
      { blockNumber: null },
      DEEP,
      Array(2_000).fill(0),
      JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}}}'),
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** One change of a JSON value, at the place with the index `at`, modulo the number of places. */
export interface Mutation {
  at: number;
  how: 'replace' | 'remove' | 'add' | 'repeat';
  value: unknown;
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'repeat'),
  value: hostileValue,
});

type Container = Record<string, unknown> | unknown[];
interface MutationSite {
  of: Container;
  key: string | number;
}

/** Copies a JSON value with one change. */
export function mutated(original: unknown, { at, how, value }: Mutation): unknown {
  const root = { value: structuredClone(original) };
  const places = placesOf(root);
  const { of, key } = places[at % places.length]!;
  const present = (of as Record<string, unknown>)[key];
  if (how === 'remove' && of !== root) {
    if (Array.isArray(of)) of.splice(Number(key), 1);
    else Reflect.deleteProperty(of, key);
  } else if (how === 'add' && typeof present === 'object' && present !== null) {
    if (Array.isArray(present)) present.push(value);
    else Object.defineProperty(present, 'unknownField', { value, enumerable: true });
  } else if (how === 'repeat' && Array.isArray(of)) {
    of.push(...Array<unknown>(50).fill(present));
  } else (of as Record<string, unknown>)[key] = value;
  return root.value;
}

function placesOf(of: Container): MutationSite[] {
  const keys = Array.isArray(of) ? [...of.keys()] : Object.keys(of);
  return keys.flatMap((key) => {
    const value = (of as Record<string, unknown>)[key];
    const inner = typeof value === 'object' && value !== null ? placesOf(value as Container) : [];
    return [{ of, key }, ...inner];
  });
}

/** Replaces unpaired surrogates, which URLs cannot contain. */
export const wellFormed = (text: string): string => Buffer.from(text).toString('utf8');
