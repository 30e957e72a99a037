import assert from 'node:assert/strict';
import { namesOf } from '../../../server/presentation/segment';
import type { FlowRow } from '../../../media/inspector/protocol/protocol';
import { matcherOf } from '../../../media/inspector/search/matcher';
import { parseQuery } from '../../../media/inspector/search/query';
import { SearchIndex } from '../../../media/inspector/search/search-index';
import type { DecodedMethod } from '../../../server/api/explorer';
import { callRow, eventRow, hugeRows } from '../../ui-components/fixtures';

const ALICE = `0x${'a1'.repeat(20)}`;
const ROUTER = `0x${'b2'.repeat(20)}`;
const TOKEN = `0x${'c3'.repeat(20)}`;
const TOPIC = `0x${'dd'.repeat(32)}`;
const names = namesOf({ [ROUTER]: 'Router', [TOKEN]: 'USD Coin' });
const NEVER = new AbortController().signal;

function decoded(name: string, overrides: Partial<DecodedMethod> = {}): DecodedMethod {
  return {
    name,
    signature: `${name}()`,
    callParams: [],
    returnParams: [],
    constructorArguments: '',
    ...overrides,
  };
}

const rows: FlowRow[] = [
  callRow(0, {
    fromAddress: ALICE,
    address: ROUTER,
    value: '1.5',
    gasUsed: 150_000,
    decodedMethod: decoded('swapExact', {
      source: 'sourcify',
      callParams: [
        { name: 'path', type: 'address[]', value: `["${TOKEN}","${ALICE}"]` },
        {
          name: 'calls',
          type: 'bytes[]',
          value: '["0x"]',
          nested: [
            {
              path: '[0]',
              to: TOKEN,
              value: '',
              name: 'burn',
              signature: 'burn(uint256)',
              callParams: [{ name: 'wad', type: 'uint256', value: '77777777' }],
            },
          ],
        },
      ],
    }),
  }),
  callRow(1, {
    fromAddress: ROUTER,
    address: TOKEN,
    operation: 'STATICCALL',
    selector: '0x70a08231',
    gasUsed: 2_500,
    decodedMethod: decoded('balanceOf', { source: '4byte' }),
  }),
  eventRow(2, {
    contract: TOKEN,
    decodedLog: {
      name: 'Transfer',
      signature: 'Transfer(address,address,uint256)',
      params: [{ name: 'to', type: 'address', value: ALICE }],
      source: 'built-in',
    },
    logDecoded: true,
    logData: `0x${'0'.repeat(62)}beef01`,
    topics: [TOPIC],
    revert: true,
  }),
  callRow(1, {
    fromAddress: ROUTER,
    address: ALICE,
    gasUsed: 50_000,
    selector: '0xdeadbeef',
    callData: `0x${'00'.repeat(12)}${TOKEN.slice(2)}`,
    status: false,
    revert: true,
    revertMessage: 'Slippage: TOO_LOW',
  }),
];

async function found(query: string): Promise<number[]> {
  const parsed = parseQuery(query);
  assert.ok(parsed.ok, query);
  return new SearchIndex(rows, names).search(matcherOf(parsed.terms, names), NEVER);
}

describe('media: search queries', () => {
  it('accept words, quotes, filters, comparisons, flags and negation', () => {
    const parsed = parseQuery('-fn:swap "two  words" value>=0.5 type:static reverted "reverted" a');
    assert.deepEqual(parsed, {
      ok: true,
      terms: [
        { field: 'fn', text: 'swap', negated: true },
        { field: 'text', text: 'two  words', negated: false },
        { field: 'value', comparison: '>=', number: 5n * 10n ** 17n, negated: false },
        { field: 'type', operation: 'STATICCALL', negated: false },
        { field: 'reverted', negated: false },
        { field: 'text', text: 'reverted', negated: false },
        { field: 'text', text: 'a', negated: false },
      ],
    });
  });

  it('have no terms in blanks and unclosed quotes', () => {
    for (const query of ['', '  ', '"', '""'])
      assert.deepEqual(parseQuery(query), { ok: true, terms: [] });
  });

  it('accept numbers as shown on screen', () => {
    assert.deepEqual(parseQuery('gas>100,000 1,234,567'), {
      ok: true,
      terms: [
        { field: 'gas', comparison: '>', number: 100_000n * 10n ** 18n, negated: false },
        { field: 'text', text: '1234567', negated: false },
      ],
    });
  });

  for (const [query, term, message] of [
    ['a gas>much', 'gas>much', /^gas takes a comparison with a number, such as gas>1; not “much”$/],
    ['type:jump', 'type:jump', /^takes one of call, staticcall, .*, event; not “jump”$/],
    ['source:me', 'source:me', /^takes one of artifact, .*4byte, guess, unknown; not “me”$/],
    ['colour:red', 'colour:red', /^no such filter; there are from: to: /],
    ['fn>2', 'fn>2', /^fn takes a colon: fn:2$/],
    ['x>2', 'x>2', /^only value, gas, depth can be compared; put text into quotes$/],
    ['to: x', 'to:', /^takes a name or the start of 0x hex$/],
    ['value > 1', '>', /^a comparison is written without blanks, such as value>1$/],
    ['gas >=1', '>=1', /^a comparison is written without blanks, such as value>1$/],
    ['x -', '-', /^a minus directly precedes the excluded text/],
  ] as const) {
    it(`report what is wrong with ${query}`, () => {
      const parsed = parseQuery(query);
      assert.ok(!parsed.ok);
      assert.equal(parsed.problem.term, term);
      assert.match(parsed.problem.message, message);
    });
  }
});

describe('media: search', () => {
  for (const [query, expected] of [
    ['router', [0, 1, 3]],
    ['ROUTER -fn:swap', [1, 3]],
    [`from:${ALICE}`, [0]],
    ['to:router', [0]],
    ['to:0xc3', [1]],
    ['to:0xc3c3…c3c3', [1]],
    ['from:"usd coin"', [2]],
    ['address:"usd coin"', [0, 1, 2]],
    [`address:${TOKEN}`, [0, 1, 2, 3]],
    ['fn:SWAP', [0]],
    ['fn:0x70a0', [1]],
    ['event:trans', [2]],
    ['event:0xdd', [2]],
    ['value>1', [0]],
    ['value>1.5', []],
    ['value=1.5', [0]],
    ['gas>=50000 gas<100,000', [3]],
    ['depth<1', [0]],
    ['depth:2', [2]],
    ['reverted', [2, 3]],
    ['failed', [3]],
    ['-reverted', [0, 1]],
    ['reason:too_low', [3]],
    ['type:event', [2]],
    ['type:static', [1]],
    ['source:guess', [1]],
    ['source:sourcify', [0]],
    ['source:unknown', [3]],
    ['0xdeadbeef', [3]],
    ['beef01', []],
    ['00beef01', [2]],
    ['77,777,777', [0]],
    ['burn', [0]],
    ['transfer to', [2]],
    ['">" value>1', []],
    ['', []],
  ] as const) {
    it(`finds [${expected.join(', ')}] with ${query || 'nothing'}`, async () => {
      assert.deepEqual(await found(query), expected);
    });
  }

  it('works in slices, and stops when it is aborted', async () => {
    const many = hugeRows(100_000, 50);
    const index = new SearchIndex(many, names);
    const parsed = parseQuery('fn:0x00000001');
    assert.ok(parsed.ok);
    const matcher = matcherOf(parsed.terms, names);
    const abort = new AbortController();
    const search = index.search((row, text) => {
      abort.abort();
      return matcher(row, () => text());
    }, abort.signal);
    await assert.rejects(search, { name: 'AbortError' });
    assert.equal((await index.search(matcher, NEVER)).length, 1);
  });

  it('finds creations and native transfers by their shown names', async () => {
    const all = [
      callRow(0, { operation: 'CREATE', selector: '' }),
      callRow(1, { selector: 'fallback', callData: '0x', value: '1' }),
      callRow(1, { selector: 'fallback', callData: '0x1234' }),
    ];
    const find = async (query: string): Promise<number[]> => {
      const parsed = parseQuery(query);
      assert.ok(parsed.ok);
      return new SearchIndex(all, names).search(matcherOf(parsed.terms, names), NEVER);
    };
    assert.deepEqual(await find('fn:constructor'), [0]);
    assert.deepEqual(await find('fn:"native transfer"'), [1]);
    assert.deepEqual(await find('fn:fallback'), [1, 2]);
  });
});
