import assert from 'node:assert/strict';
import { differenceOfTraces } from '../../../../server/analysis/traces/compare';
import type { CallFrame } from '../../../../server/analysis/call-frame';
import { account, frame, log } from '../../../support/analysis';

describe('differenceOfTraces', () => {
  const trace = (facts: Partial<CallFrame>) => ({
    root: frame(facts),
    method: 'replay' as const,
    reportedGas: 0,
  });
  const difference = (one: Partial<CallFrame>, other: Partial<CallFrame>) =>
    differenceOfTraces(trace(one), trace(other));
  const inner = frame({ to: account(5) });
  const emitted = log(account(6), [], '0x01');

  it('is undefined for equal traces, and names the first call or event that differs', () => {
    const items = [inner, emitted];
    assert.equal(difference({ items }, { items: [...items] }), undefined);
    const callee = account(0xb0b);
    for (const [one, other, text] of [
      [{ value: 5n }, { value: 6n }, `call 0 of ${callee} had the value 5 wei instead of 6 wei`],
      [{ output: '0x01' }, {}, `call 0 of ${callee} had a different input, output or outcome`],
      [
        { items },
        { items: [inner, log(account(6), [], '0x02')] },
        `event 2 of ${callee} had different data`,
      ],
      [{ items }, { items: [inner] }, `event 2 of ${callee} was not executed`],
      [{ items }, { items: [inner, inner] }, `event 2 of ${callee} was not executed`],
      [{ items: [inner] }, {}, `call 1 of ${account(5)} was not executed`],
      [{ items: [inner] }, { items: [emitted] }, `call 1 of ${account(5)} was not executed`],
      [{}, { items }, 'it has 1 calls and events instead of 3'],
      [
        { items: [frame({ type: 'CREATE', to: null })] },
        {},
        `call 1 of ${account(0xa11)} was not executed`,
      ],
    ] as [Partial<CallFrame>, Partial<CallFrame>, string][]) {
      assert.equal(difference(one, other), text);
    }
    const nested = [frame({ items: [inner] })];
    const beside = [frame(), inner];
    assert.match(difference({ items: nested }, { items: beside }) ?? '', /^call 2 of/);
  });
});
