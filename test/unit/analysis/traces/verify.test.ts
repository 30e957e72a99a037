import assert from 'node:assert/strict';
import type { CallFrame } from '../../../../server/analysis/call-frame';
import type { ProofProgress } from '../../../../server/analysis/executed-transaction';
import type { TransactionTrace } from '../../../../server/analysis/ports';
import {
  isProvable,
  traceDifference,
  traceVerification,
} from '../../../../server/analysis/traces/verify';
import type { Address, Hash, Hex } from '../../../../server/api/primitives';
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

  it('leaves out logs of the fee in a token, and no others of that token', () => {
    const token = account(7);
    const fee = { address: token, topics: [word(9)], data: '0x' } as const;
    const own = { address: token, topics: [word(8)], data: '0x' } as const;
    const items = [log(account(1), [word(1)]), log(token, [word(8)])];
    const logs = [fee, onReceipt, own, fee, fee];
    assert.equal(difference({ items }, { logs, feeToken: token }), undefined);
    assert.match(difference({ items }, { logs }) ?? '', /^logs: 2 in the trace, 5/);
    const foreign = [...logs, { ...fee, address: account(6) }];
    assert.match(difference({ items }, { logs: foreign, feeToken: token }) ?? '', /^logs: 2 in/);
    assert.match(difference({ items }, { logs: [fee, onReceipt], feeToken: token }) ?? '', /^logs/);
  });

  it("accepts anvil's sum of the block's gas for the top frame", () => {
    assert.equal(difference({}, { cumulativeGasUsed: '0xffff' }, 65_535), undefined);
  });
});

describe('traceVerification', () => {
  const { receipt } = mined();
  const trace = (facts: Partial<TransactionTrace> = {}): TransactionTrace => ({
    root: frame(),
    method: 'replay',
    reportedGas: 21_000,
    applied: 3,
    ...facts,
  });
  const verification = (facts: Partial<TransactionTrace>, proving?: ProofProgress) =>
    traceVerification({ mined: mined(), trace: trace(facts), ...(proving ? { proving } : {}) });
  const replayed = {
    level: 'receipt',
    method: 'replay',
    executor: 'anvil',
    applied: 3,
    faithful: true,
  };

  it('trusts a node, and a replay only if its whole prefix and its state are proved', () => {
    const debug: TransactionTrace = { root: frame(), method: 'debug', reportedGas: 21_000 };
    assert.deepEqual(traceVerification({ mined: mined(), trace: debug }), {
      level: 'state-proved',
      method: 'debug',
      executor: 'node',
      faithful: true,
    });
    assert.deepEqual(verification({}), replayed);
    for (const [proof, level] of [
      [{ wholePrefix: true, state: 'equal' }, 'state-proved'],
      [{ wholePrefix: false, state: 'equal' }, 'receipt'],
      [{ wholePrefix: true, state: 'different' }, 'receipt'],
      [{ wholePrefix: true }, 'receipt'],
    ] as const) {
      assert.equal(verification({ proof }).level, level);
    }
  });

  it('has no level if the trace differs from the receipt', () => {
    assert.deepEqual(
      verification({ reportedGas: 1, proof: { wholePrefix: true, state: 'equal' } }),
      {
        ...replayed,
        level: 'none',
        faithful: false,
        firstDifference: 'gas used: 1 in the trace, 21000 in the receipt',
      },
    );
  });

  it('contains the progress of the proof, the reason and corrections', () => {
    const proof = { wholePrefix: true, reason: 'not equal', corrected: 'a log' };
    assert.deepEqual(verification({ proof }), {
      ...replayed,
      reason: 'not equal',
      corrected: 'a log',
    });
    assert.deepEqual(verification({}, { state: 'running' }), { ...replayed, proof: 'running' });
    assert.deepEqual(verification({ proof }, { state: 'failed', reason: 'down', at: 1 }), {
      ...replayed,
      proof: 'failed',
      reason: 'down',
      corrected: 'a log',
    });
    const proved = verification({ proof: { ...proof, state: 'equal' } });
    assert.deepEqual([proved.level, 'reason' in proved], ['state-proved', false]);
  });

  it('can be raised for a replay without a reason', () => {
    const isDue = (facts: Partial<TransactionTrace>) => isProvable(trace(facts), receipt);
    assert.equal(isDue({}), true);
    assert.equal(isDue({ proof: { wholePrefix: false } }), true);
    assert.equal(isDue({ proof: { wholePrefix: true, reason: 'not equal' } }), false);
    assert.equal(isDue({ proof: { wholePrefix: true, state: 'equal' } }), false);
    assert.equal(isDue({ method: 'debug' }), false);
    assert.equal(isDue({ reportedGas: 1 }), false);
  });

  it('compares a trace with each receipt', () => {
    const one = trace();
    assert.equal(traceDifference(one, receipt), undefined);
    assert.match(
      traceDifference(
        one,
        mined({ receipt: { gasUsed: '0x1', cumulativeGasUsed: '0x1' } }).receipt,
      ) ?? '',
      /^gas/,
    );
  });

  it('compares logs in every part, but not the case of their digits', () => {
    const [upper, data] = ['0xABCDEF0000000000000000000000000000000000', '0xAB'] as const;
    const emitted = (address: Address, topics: Hash[], bytes: Hex) => [log(address, topics, bytes)];
    const inReceipt = { address: upper, topics: [word(0xabc)], data };
    const at = (...args: Parameters<typeof emitted>) =>
      difference({ items: emitted(...args) }, { logs: [inReceipt] });
    const lower = upper.toLowerCase() as Address;
    const topic = word(0xabc);
    assert.equal(at(lower, [topic.toUpperCase().replace('0X', '0x') as Hash], '0xab'), undefined);
    const differs = "log 0 differs from the receipt's";
    assert.equal(at(account(1), [topic], '0xab'), differs);
    assert.equal(at(lower, [topic], '0xac'), differs);
    assert.equal(at(lower, [topic, topic], '0xab'), differs);
    assert.equal(at(lower, [], '0xab'), differs);
    assert.equal(at(lower, [word(1)], '0xab'), differs);
    assert.equal(
      difference({ error: 'out of gas' }, {}),
      'status: the trace fails, the receipt does not',
    );
    assert.equal(
      difference({}, { status: '0x0' }),
      'status: the trace succeeds, the receipt does not',
    );
  });
});
