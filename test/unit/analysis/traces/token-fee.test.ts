import assert from 'node:assert/strict';
import type { FrameItem } from '../../../../server/analysis/call-frame';
import { feeInToken, tokenFeeFacts } from '../../../../server/analysis/traces/token-fee';
import type { Address, Hash, Hex } from '../../../../server/api/primitives';
import { account, frame, log, mined, word } from '../../../support/analysis';

const TRANSFER: Hash = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const token = account(7);
const { transaction } = mined();
const payer = transaction.from;
const [handler, recipient, nobody] = [account(8), account(9), account(0)];

const topicOf = (address: Address): Hash => `0x${address.slice(2).padStart(64, '0')}`;
const transfer = (from: Address, to: Address, amount: number): { topics: Hash[]; data: Hex } => ({
  topics: [TRANSFER, topicOf(from), topicOf(to)],
  data: word(amount),
});
const feeOf = (logs: { topics: Hash[]; data: Hex }[], items: FrameItem[] = []) => {
  const receipt = { feeToken: token, logs: logs.map((one) => ({ address: token, ...one })) };
  const trace = { root: frame({ items }), method: 'debug', reportedGas: 21_000 } as const;
  return feeInToken(mined({ receipt }), trace);
};

describe('the fee in a token', () => {
  it('is what the sender lost, where it is debited and given back', () => {
    const logs = [
      transfer(payer, nobody, 1_000),
      transfer(nobody, payer, 400),
      transfer(nobody, recipient, 100),
      transfer(nobody, handler, 500),
    ];
    assert.deepEqual(feeOf(logs), { token, rawAmount: '600' });
  });

  it('is what the sender paid to others directly, without the transfers of its calls', () => {
    const own = transfer(payer, account(3), 77);
    const items = [log(token, own.topics, own.data)];
    const logs = [own, transfer(payer, handler, 500), transfer(payer, recipient, 100)];
    assert.deepEqual(feeOf(logs, items), { token, rawAmount: '600' });
  });

  it('is unknown, with the reason, where the receipt does not prove it', () => {
    const reasonOf = (...params: Parameters<typeof feeOf>): string => {
      const fee = feeOf(...params);
      assert.equal(fee?.rawAmount, '');
      return fee.reason ?? '';
    };
    assert.match(reasonOf([]), /^the receipt has no transfer of the fee$/);
    assert.match(reasonOf([{ topics: [word(1)], data: '0x' }]), /^the receipt has other events/);
    assert.match(reasonOf([transfer(nobody, payer, 400)]), /do not add up/);
    assert.match(reasonOf([transfer(payer, nobody, 9)]), /do not add up/);
    const lost = [log(account(1), [word(1)], '0x')];
    assert.match(reasonOf([transfer(payer, handler, 500)], lost), /^the trace differs/);
  });

  it('is left out for a fee in the native currency', () => {
    const trace = { root: frame(), method: 'debug', reportedGas: 21_000 } as const;
    assert.equal(feeInToken(mined(), trace), undefined);
    assert.deepEqual(tokenFeeFacts(undefined, new Map()), {});
  });

  it('is scaled by the decimals of the token, where they are known', () => {
    const fee = { token, rawAmount: '1500000' };
    const facts = new Map([[token, { symbol: 'USDX', decimals: 6 }]]);
    const scaled = { token, rawAmount: '1500000', amount: '1.5', symbol: 'USDX' };
    assert.deepEqual(tokenFeeFacts(fee, facts), { tokenFee: scaled });
    assert.deepEqual(tokenFeeFacts(fee, new Map()), { tokenFee: { ...fee, amount: '' } });
    const unknown = { token, rawAmount: '', reason: 'why' };
    assert.deepEqual(tokenFeeFacts(unknown, facts), {
      tokenFee: { ...unknown, amount: '', symbol: 'USDX' },
    });
  });
});
