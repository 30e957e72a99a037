import assert from 'node:assert/strict';
import { executionSteps, isLog } from '../../../../server/analysis/call-frame';
import { readCallTrace } from '../../../../server/analysis/traces/call-tracer';
import { account, mined, word } from '../../../support/analysis';

const sent = mined({ transaction: { value: '0x10' } });
const raw = (facts: object = {}) => ({
  type: 'CALL',
  from: account(0xa11),
  to: account(0xb0b),
  value: '0x10',
  gas: '0x186a0',
  gasUsed: '0x5208',
  input: '0x',
  ...facts,
});
const logAt = (position: number | undefined, topic: number) => ({
  address: account(0xb0b),
  topics: [word(topic)],
  data: '0x',
  ...(position === undefined ? {} : { position: `0x${position.toString(16)}` }),
});
const order = (answer: unknown, details?: unknown) =>
  [...executionSteps(readCallTrace(answer, sent, details).root)].map(({ frame, log }) =>
    log ? Number(log.topics[0]) : `${frame.type} ${Number(frame.to)}`,
  );

describe('readCallTrace', () => {
  it('reads a frame, in lower case', () => {
    const { root } = readCallTrace(
      raw({ from: account(0xa11).toUpperCase().replace('0X', '0x'), output: '0xABCD' }),
      sent,
    );
    assert.deepEqual(root, {
      type: 'CALL',
      from: account(0xa11),
      to: account(0xb0b),
      value: 16n,
      gasUsed: 21_000,
      input: '0x',
      output: '0xabcd',
      items: [],
    });
  });

  it('orders logs between calls by their position', () => {
    const calls = [raw({ to: account(1) }), raw({ to: account(2) })];
    const logs = [logAt(0, 10), logAt(1, 11), logAt(1, 12), logAt(2, 13)];
    assert.deepEqual(order(raw({ calls, logs })), [
      'CALL 2827',
      10,
      'CALL 1',
      11,
      12,
      'CALL 2',
      13,
    ]);
  });

  it('puts logs after all calls if a client reports no position, or one beyond the last call', () => {
    for (const position of [undefined, 7]) {
      const answer = raw({ calls: [raw({ to: account(1) })], logs: [logAt(position, 10)] });
      assert.deepEqual(order(answer), ['CALL 2827', 'CALL 1', 10]);
    }
  });

  it('drops the logs of a failed frame and of all frames below it', () => {
    const inner = raw({ to: account(2), logs: [logAt(0, 20)] });
    const failed = raw({
      to: account(1),
      error: 'execution reverted',
      calls: [inner],
      logs: [logAt(0, 10)],
    });
    const answer = raw({ calls: [failed], logs: [logAt(1, 30)] });
    assert.deepEqual(order(answer), ['CALL 2827', 'CALL 1', 'CALL 2', 30]);
    assert.deepEqual(order(raw({ error: 'out of gas', logs: [logAt(0, 10)] })), ['CALL 2827']);
  });

  it('uses the logs of failed frames from a tree of the same calls', () => {
    const inner = raw({ to: account(2) });
    const failed = raw({ to: account(1), error: 'execution reverted', calls: [inner] });
    const answer = raw({ calls: [failed], logs: [logAt(1, 30)] });
    const twin = {
      calls: [{ calls: [{ calls: [], logs: [logAt(0, 20)] }], logs: [logAt(1, 10)] }],
      logs: [],
    };
    assert.deepEqual(order(answer, twin), ['CALL 2827', 'CALL 1', 'CALL 2', 20, 10, 30]);
    const other = { calls: [{ calls: [], logs: [logAt(0, 10)] }], logs: [] };
    assert.deepEqual(order(answer, other), ['CALL 2827', 'CALL 1', 'CALL 2', 30]);
    assert.deepEqual(order(answer, {}), ['CALL 2827', 'CALL 1', 'CALL 2', 30]);
  });

  it('uses the gas of the receipt, and returns the gas that the tracer reported', () => {
    const { root, reportedGas } = readCallTrace(raw({ gasUsed: '0xffff' }), sent);
    assert.equal(root.gasUsed, 21_000);
    assert.equal(reportedGas, 65_535);
  });

  it('reads STATICCALL and DELEGATECALL without value', () => {
    const calls = ['STATICCALL', 'DELEGATECALL', 'CALLCODE'].map((type) => raw({ type }));
    const { root } = readCallTrace(raw({ calls }), sent);
    const values = root.items.map((item) => !isLog(item) && item.value);
    assert.deepEqual(values, [0n, 0n, 16n]);
  });

  it('contains the intended address of a failed creation, if it is known', () => {
    const from = '0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0';
    const transaction = { from, to: null, nonce: '0x0' } as const;
    const create = raw({ type: 'CREATE', from, to: undefined, error: 'execution reverted' });
    const { root } = readCallTrace(
      { ...create, calls: [{ ...create, to: account(0) }] },
      mined({ transaction: { ...transaction, value: '0x10' } }),
    );
    assert.equal(root.to, '0xcd234a471b72ba2f1ccf0a70fcaba648a5eecd8d');
    const [inner] = root.items;
    assert.equal(inner && !isLog(inner) ? inner.to : undefined, null);
  });

  it('reads SUICIDE as SELFDESTRUCT', () => {
    assert.deepEqual(
      order(raw({ calls: [raw({ type: 'SUICIDE', from: account(0xb0b), to: account(1) })] })),
      ['CALL 2827', 'SELFDESTRUCT 1'],
    );
  });

  describe('a self-destruction', () => {
    const destructionOf = (facts: object, caller: object = {}, details?: unknown) => {
      const calls = [raw({ type: 'SELFDESTRUCT', from: account(0xb0b), to: account(1), ...facts })];
      const called = raw({ to: account(0xb0b), ...caller, calls });
      const { root } = readCallTrace(raw({ calls: [called] }), sent, details);
      const [parent] = root.items;
      const [frame] = parent && !isLog(parent) ? parent.items : [];
      if (!frame || isLog(frame)) throw new Error('there is none');
      const { from, to, value, isValueUnknown } = frame;
      return [Number(from), Number(to), value, isValueUnknown];
    };

    it('is read as reported if the tracer names the executing contract', () => {
      assert.deepEqual(destructionOf({}), [0xb0b, 1, 16n, undefined]);
      const delegated = { type: 'DELEGATECALL', from: account(0xdad) };
      assert.deepEqual(destructionOf({ from: account(0xdad) }, delegated), [
        0xdad,
        1,
        16n,
        undefined,
      ]);
    });

    it('is one to itself, of unknown value, if the tracer names another contract or none', () => {
      const unknown = [0xb0b, 0xb0b, 0n, true];
      assert.deepEqual(destructionOf({ from: account(0xa11), to: account(0xb0b) }), unknown);
      assert.deepEqual(destructionOf({ from: account(0), to: undefined }), unknown);
      const delegated = { type: 'CALLCODE', from: account(0xdad) };
      assert.deepEqual(destructionOf({}, delegated), [0xdad, 0xdad, 0n, true]);
    });

    it('is read from the details', () => {
      const destroys = { from: account(0xb0b), to: account(0xb0b), value: '0x3ed' };
      const details = { calls: [{ calls: [], logs: [], destroys }], logs: [] };
      const expected = [0xb0b, 0xb0b, 0x3edn, undefined];
      assert.deepEqual(destructionOf({ from: account(0xa11) }, {}, details), expected);
    });
  });

  it('reads 1,024 levels and 100,000 frames', () => {
    let deep = raw();
    for (let level = 0; level < 1024; level++) deep = raw({ calls: [deep] });
    assert.equal(order(deep).length, 1025);
    const wide = raw({ calls: Array.from({ length: 100_000 }, () => raw()) });
    assert.equal(order(wide).length, 100_001);
  });

  for (const [what, answer] of [
    ['null', null],
    ['an unknown type', raw({ type: 'EOFCREATE2' })],
    ['a missing caller', raw({ from: undefined })],
    ['bytes that are none', raw({ input: '0xabc' })],
    ['a value that is none', raw({ value: 'lots' })],
    ['calls that are no list', raw({ calls: {} })],
    ['the trace of another sender', raw({ from: account(0xbad) })],
    ['the trace of other call data', raw({ input: '0xabcd' })],
    ['the trace of another receiver', raw({ to: account(0xbad) })],
    ['the trace of another value', raw({ value: '0x11' })],
    ['a call of nobody', raw({ calls: [raw({ to: undefined })] })],
    ['negative gas', raw({ calls: [raw({ gasUsed: -5 })] })],
    ['gas used that no block has', raw({ calls: [raw({ gasUsed: `0x${'f'.repeat(16)}` })] })],
    ['more ether than a word holds', raw({ calls: [raw({ value: `0x1${'0'.repeat(64)}` })] })],
    ['an error that is no text', raw({ calls: [raw({ error: 5 })] })],
    ['a topic that is no word', raw({ logs: [{ ...logAt(0, 1), topics: ['0x12'] }] })],
    ['five topics', raw({ logs: [{ ...logAt(0, 1), topics: Array(5).fill(word(1)) }] })],
    ['a position that is none', raw({ logs: [{ ...logAt(0, 1), position: 'last' }] })],
    ['a negative position', raw({ logs: [{ ...logAt(0, 1), position: -1 }] })],
    ['structLogs', { gas: 1, failed: false, returnValue: '', structLogs: [] }],
  ] as const) {
    it(`rejects ${what}`, () => {
      assert.throws(() => readCallTrace(answer, sent), { kind: 'upstreamLacksData' });
    });
  }
});
