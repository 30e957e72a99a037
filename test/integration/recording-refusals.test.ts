import assert from 'node:assert/strict';
import { sandboxHash } from '../support/sandbox-hashes';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

describe('recordings refuse', () => {
  let service: SandboxService;
  before(async () => {
    service = await sandboxService();
  });
  after(() => service.release());

  const base = `/v1/explorer/sandbox/transaction/${sandboxHash('error-string')}/recording`;
  for (const [path, message] of [
    ['/step/170', 'step is 170; accepted: 0 to 169: the recording has 170 steps'],
    ['/step/x', 'step is "x"; accepted: number of a step: a whole number from 0 to 999999999'],
    [
      '/step/0/bytes?offset=1000000000',
      'offset is "1000000000"; accepted: first byte; default 0: a whole number from 0 to 999999999',
    ],
    ['/step/0/bytes?of=stack', 'of is "stack"; accepted: memory, calldata, returndata, code'],
    ['/step/0/bytes?length=65537', 'length is 65537; accepted: a whole number up to 65536'],
    ['/step/0/bytes?call=7', 'call is 7; accepted: a call of the call stack at step 0, such as 0'],
    [
      '/step/0/variables?scope=gas&count=1001',
      'count is 1001; accepted: a whole number up to 1000',
    ],
    [
      '/step/0/variables?scope=storage&reference=0x1',
      'reference is "0x1"; accepted: a slot: 0x and 64 hex digits',
    ],
    ['/calls?count=1001', 'count is 1001; accepted: a whole number up to 1000'],
    ['/contract/1/instructions', 'contract is 1; accepted: 0 to 0'],
    ['/contract/0/instructions?count=2001', 'count is 2001; accepted: a whole number up to 2000'],
    ['/contract/0/file?file=x', /^file is "x"; accepted: .*TokenBase.sol/],
  ] as const) {
    it(path, async () => {
      const { code, message: answer } = await service.request('GET', base + path);
      assert.equal(code, 40001);
      if (typeof message === 'string') assert.equal(answer, message);
      else assert.match(answer, message);
    });
  }

  for (const [what, body, message] of [
    ['an empty body', {}, /from is missing.*direction is missing.*mode is missing/],
    ['a step beyond the end', { from: 170 }, /from is 170; accepted: 0 to 169/],
    ['a negative step', { from: -1 }, /from is -1; accepted: a whole number from 0/],
    [
      'an unknown direction',
      { direction: 'up' },
      /direction is "up"; accepted: forwards, backwards/,
    ],
    ['an unknown field', { line: 1 }, /line is not known; did you mean lines\?/],
    [
      'a line 0',
      { lines: [{ id: 1, file: 'a', line: 0 }] },
      /lines\[0\].line is 0; accepted: a whole number from 1/,
    ],
    [
      'a long condition',
      { lines: [{ id: 1, file: 'a', line: 1, condition: 'x'.repeat(1_001) }] },
      /text of up to 1000 characters/,
    ],
    [
      'a condition that is no expression',
      {
        functions: [
          { id: 1, name: 'a' },
          { id: 2, name: 'b', condition: 'a b' },
        ],
      },
      /^functions\[1\]\.condition "a b": /,
    ],
    [
      'a message whose expression is none',
      { lines: [{ id: 1, file: 'a', line: 1, message: 'x is {x} and y is {}' }] },
      /^lines\[0\]\.message "": the expression ends/,
    ],
    [
      'too many breakpoints',
      { events: Array.from({ length: 1_001 }, () => ({ id: 1, name: '*' })) },
      /a list of up to 1000/,
    ],
    [
      'a short slot',
      { slots: [{ id: 1, address: `0x${'1'.repeat(40)}`, slot: '0x1' }] },
      /a slot: 0x and 64 hex digits/,
    ],
  ] as const) {
    it(`a search with ${what}`, async () => {
      const given = {
        ...(what === 'an empty body' ? {} : { from: 0, direction: 'forwards', mode: 'step' }),
        ...body,
      };
      const answer = await service.request('POST', `${base}/find`, { body: given });
      assert.equal(answer.code, 40001);
      assert.match(answer.message, message);
    });
  }

  it('transactions that do not exist, and unknown chains', async () => {
    const get = async (chain: string, hash: string): Promise<number> =>
      (await service.request('GET', `/v1/explorer/${chain}/transaction/${hash}/recording`)).code;
    assert.equal(await get('sandbox', `0x${'1'.padStart(64, '0')}`), 40403);
    assert.equal(await get('nowhere', sandboxHash('approve')), 40404);
  });
});
