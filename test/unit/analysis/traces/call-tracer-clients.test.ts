import assert from 'node:assert/strict';
import { dataLength, isLog, type CallFrame } from '../../../../server/analysis/call-frame';
import { readCallTrace } from '../../../../server/analysis/traces/call-tracer';
import { account, mined, word } from '../../../support/analysis';
import { logAt, order, raw, sent } from '../../../support/call-tracer';

describe('readCallTrace of other clients', () => {
  /** A call below the top one, as it is read. */
  function inner(facts: object, details?: unknown): CallFrame {
    const { root } = readCallTrace(raw({ calls: [raw(facts)] }), sent, details);
    const [frame] = root.items;
    assert.ok(frame && !isLog(frame));
    return frame;
  }

  it('reads amounts in every form up to a word', () => {
    for (const [value, wei] of [
      [undefined, 0n],
      [null, 0n],
      ['0x0', 0n],
      [5, 5n],
      ['5', 5n],
      ['0xde0b6b3a7640000', 10n ** 18n],
      ['1000000000000000000', 10n ** 18n],
      [`0x${'f'.repeat(64)}`, 2n ** 256n - 1n],
    ] as const) {
      assert.equal(inner({ value }).value, wei, String(value));
    }
  });

  it('reads gas in every form, and missing bytes as none', () => {
    for (const [gasUsed, gas] of [
      [undefined, 0],
      [null, 0],
      [5, 5],
      ['5', 5],
      ['0x5', 5],
      [2 ** 53 - 1, 2 ** 53 - 1],
    ] as const) {
      assert.equal(inner({ gasUsed }).gasUsed, gas);
    }
    for (const none of [undefined, null, '']) {
      const { input, output } = inner({ input: none, output: none });
      assert.deepEqual([input, output], ['0x', '0x']);
    }
    const lists = inner({ calls: null, logs: null });
    assert.deepEqual(lists.items, []);
  });

  it('reads errors and reasons', () => {
    assert.equal('error' in inner({ error: '' }), false);
    assert.equal('error' in inner({ error: null }), false);
    const { error, revertReason } = inner({ error: 'out of gas', revertReason: 'no reason' });
    assert.deepEqual([error, revertReason], ['out of gas', 'no reason']);
    assert.equal('revertReason' in inner({ revertReason: 5 }), false);
  });

  it('reads creations without an address, and calls of the zero address', () => {
    for (const type of ['CREATE', 'CREATE2']) {
      for (const to of [account(0), undefined, null, '']) {
        assert.equal(inner({ type, to, error: 'x' }).to, null, `${type} ${String(to)}`);
      }
      assert.equal(inner({ type, to: account(5) }).to, account(5));
    }
    assert.equal(inner({ to: account(0) }).to, account(0));
  });

  it('keeps the logs of calls beside a failed one', () => {
    const failed = raw({ to: account(1), error: 'out of gas', logs: [logAt(0, 10)] });
    const other = raw({ to: account(2), logs: [logAt(0, 20)] });
    const answer = raw({ calls: [failed, other] });
    assert.deepEqual(order(answer), ['CALL 2827', 'CALL 1', 'CALL 2', 20]);
    const details = { calls: [{ logs: [logAt(0, 11)] }, { logs: [logAt(0, 21)] }] };
    assert.deepEqual(order(answer, details), ['CALL 2827', 'CALL 1', 11, 'CALL 2', 20]);
    const both = raw({ calls: [failed, { ...other, error: 'x' }] });
    assert.deepEqual(order(both, details), ['CALL 2827', 'CALL 1', 11, 'CALL 2', 21]);
    assert.deepEqual(order(both, { calls: [null, null] }), ['CALL 2827', 'CALL 1', 'CALL 2']);
  });

  it('ignores missing details of a self-destruction', () => {
    const calls = [raw({ type: 'SELFDESTRUCT', from: account(0xb0b), to: account(1) })];
    const called = raw({ to: account(0xb0b), calls });
    for (const destroys of [null, undefined]) {
      const details = { calls: [{ calls: [], logs: [], destroys }] };
      assert.deepEqual(order(raw({ calls: [called] }), details), [
        'CALL 2827',
        'CALL 2827',
        'SELFDESTRUCT 1',
      ]);
    }
    const created = raw({ type: 'CREATE', to: undefined, error: 'x', calls });
    assert.equal(order(raw({ calls: [created] })).at(-1), 'SELFDESTRUCT 1');
  });

  it('reads logs of up to four topics, in lower case', () => {
    const [first] = readCallTrace(
      raw({ logs: [{ ...logAt(0, 1), data: '0xAB', topics: Array(4).fill(word(0xab)) }] }),
      sent,
    ).root.items;
    assert.deepEqual(first, {
      address: account(0xb0b),
      topics: Array(4).fill(word(0xab)),
      data: '0xab',
    });
  });

  it('does not compare transactions of a rollup’s own type with their traces', () => {
    const deposit = mined({ transaction: { type: '0x7e', value: '0x5' } });
    assert.equal(readCallTrace(raw(), deposit).root.value, 16n);
    const delegated = mined({ transaction: { type: '0x4', value: '0x5' } });
    assert.throws(() => readCallTrace(raw(), delegated), { kind: 'upstreamLacksData' });
  });

  it('reads up to 1,100 levels', () => {
    let deep = raw();
    for (let level = 0; level < 1_100; level++) deep = raw({ calls: [deep] });
    assert.equal(order(deep).length, 1_101);
    assert.throws(() => order(raw({ calls: [deep] })), {
      message: "the node's call trace cannot be read: depth is 1101",
    });
  });

  it('counts the characters of its data', () => {
    const logs = [{ ...logAt(0, 1), data: '0x1234' }];
    const { root } = readCallTrace(raw({ output: '0x12', logs, calls: [raw()] }), sent);
    // The lengths of 0x, 0x12, 0x1234, 0x and 0x.
    assert.equal(dataLength(root), 2 + 4 + 6 + 2 + 2);
  });

  const nested = (facts: object) => raw({ calls: [raw(facts)] });
  const logged = (facts: object) => raw({ logs: [{ ...logAt(0, 1), ...facts }] });
  for (const [answer, text] of [
    [null, 'the trace is null'],
    ['x', 'the trace is "x"'],
    [raw({ type: 'X' }), 'type is "X"'],
    [raw({ from: account(1) }), `from is "${account(1)}"`],
    [raw({ to: account(1) }), `to is "${account(1)}"`],
    [raw({ value: '0x11' }), 'value is "0x11"'],
    [raw({ input: '0xabcd' }), 'input is "0xabcd"'],
    [raw({ calls: 5 }), 'calls is 5'],
    [raw({ logs: 5 }), 'logs is 5'],
    [raw({ calls: [5] }), 'a call is 5'],
    [raw({ logs: [5] }), 'a log is 5'],
    [nested({ from: null }), 'from is null'],
    [nested({ to: null }), 'to is null'],
    [nested({ to: '0x12' }), 'address is "0x12"'],
    [nested({ to: 5 }), 'address is 5'],
    [nested({ value: -1 }), 'value is -1'],
    [nested({ value: 'x' }), 'value is "x"'],
    [nested({ value: String(2n ** 256n) }), `value is "${2n ** 256n}"`],
    [nested({ value: {} }), 'value is {}'],
    [nested({ gasUsed: 1.5 }), 'gasUsed is 1.5'],
    [nested({ gasUsed: true }), 'gasUsed is true'],
    [nested({ gasUsed: 'x' }), 'gasUsed is "x"'],
    [nested({ input: '0x1' }), 'input is "0x1"'],
    [nested({ input: 5 }), 'input is 5'],
    [nested({ output: 'x' }), 'output is "x"'],
    [nested({ error: 5 }), 'error is 5'],
    [logged({ address: null }), 'log.address is null'],
    [logged({ data: '0x1' }), 'log.data is "0x1"'],
    [logged({ topics: 5 }), 'log.topics is 5'],
    [logged({ topics: [word(1), 'x'] }), 'log.topics is "x"'],
    [logged({ position: 'x' }), 'log.position is "x"'],
  ] as const) {
    it(`says that ${text}`, () => {
      const message = `the node's call trace cannot be read: ${text}`;
      assert.throws(() => readCallTrace(answer, sent), { message });
    });
  }

  it('refuses details of another form', () => {
    const answer = raw({ calls: [raw({ error: 'x' })] });
    for (const [details, text] of [
      [5, 'a frame is 5'],
      [{ calls: 5 }, 'calls is 5'],
      [{ calls: [{ logs: 5 }] }, 'logs is 5'],
    ] as const) {
      const message = `the node's call trace cannot be read: ${text}`;
      assert.throws(() => readCallTrace(answer, sent, details), { message });
    }
    const destroying = raw({ calls: [raw({ type: 'SELFDESTRUCT', to: account(1) })] });
    assert.throws(() => readCallTrace(destroying, sent, { calls: [], destroys: 5 }), {
      message: "the node's call trace cannot be read: a self-destruction is 5",
    });
  });
});
