import assert from 'node:assert/strict';
import type { CallFrame } from '../../../../server/analysis/call-frame';
import { traceDifference } from '../../../../server/analysis/traces/verify';
import { account, frame, log, mined, word } from '../../../support/analysis';

const difference = (root: Partial<CallFrame>, receipt: object, reportedGas = 21_000) =>
  traceDifference({ root: frame(root), method: 'debug', reportedGas }, mined({ receipt }).receipt);
const onReceipt = { address: account(1), topics: [word(1)], data: '0x' } as const;

describe('traceDifference', () => {
  it('is undefined if status, gas and logs are equal', () => {
    const items = [
      log(account(1), [word(1)]),
      frame({ error: 'out of gas', items: [log(account(1), [word(2)])] }),
    ];
    assert.equal(difference({ items }, { logs: [onReceipt] }), undefined);
  });

  it('describes the first difference', () => {
    const failed = { error: 'out of gas' };
    assert.match(difference(failed, {}) ?? '', /^status/);
    assert.equal(difference(failed, { status: '0x0' }), undefined);
    assert.equal(difference(failed, { status: undefined }), undefined);
    assert.equal(difference({}, {}, 21_001), 'gas used: 21001 in the trace, 21000 in the receipt');
    assert.equal(difference({}, { logs: [onReceipt] }), 'logs: 0 in the trace, 1 in the receipt');
    const items = [log(account(1), [word(2)])];
    assert.equal(difference({ items }, { logs: [onReceipt] }), "log 0 differs from the receipt's");
  });

  it("accepts anvil's sum of the block's gas for the top frame", () => {
    assert.equal(difference({}, { cumulativeGasUsed: '0xffff' }, 65_535), undefined);
  });
});
