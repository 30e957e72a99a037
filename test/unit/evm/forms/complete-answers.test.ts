import assert from 'node:assert/strict';
import { completeBlock, completeTransaction } from '../../../../server/evm/forms/complete-answers';
import { mintOf } from '../../../../server/evm/forms/deposit';
import { notExecutable } from '../../../../server/evm/families/made-by-chain';
import { account, mined } from '../../../support/analysis';

const ZERO = `0x${'0'.repeat(40)}`;

describe('answers with the fields that they lack', () => {
  it('are headers of chains that have no proof of work, no uncles and no gas limit', () => {
    const header = { hash: '0x1', number: '0x2', timestamp: '0x3', nonce: null, randomness: {} };
    const completed = completeBlock(header) as Record<string, unknown>;
    assert.equal(completed['gasLimit'], '0x7fffffff');
    assert.equal(completed['difficulty'], '0x0');
    assert.equal(completed['nonce'], '0x0000000000000000');
    assert.equal(completed['miner'], ZERO);
    assert.deepEqual(completed['randomness'], {});
    assert.equal(completed['hash'], '0x1');
    assert.equal('baseFeePerGas' in completed, false);
    assert.equal(completeBlock(completed), completed);
  });

  it('are transactions of several calls, and not those of shared types', () => {
    const calls = [
      { to: account(1), value: '0x5', input: '0x01' },
      { to: account(2), value: '0x6', input: '0x02' },
    ];
    const several = { hash: '0x1', type: '0x76', from: account(9), calls };
    assert.deepEqual(completeTransaction(several), {
      ...several,
      to: account(1),
      value: '0xb',
      input: '0x',
      nonce: '0x0',
      gas: '0x0',
    });
    const single = completeTransaction({ ...several, calls: calls.slice(1) }) as object;
    assert.deepEqual(
      { ...single, calls: undefined },
      {
        ...several,
        calls: undefined,
        to: account(2),
        value: '0x6',
        input: '0x02',
        nonce: '0x0',
        gas: '0x0',
      },
    );
    const strange = { type: '0x99', calls: [null, 5, { value: 'lots' }] };
    assert.equal((completeTransaction(strange) as { value: string }).value, '0x0');
    for (const left of [{ type: '0x2' }, {}, null, 'x', [1]]) {
      assert.equal(completeTransaction(left), left);
    }
  });

  it('are left as they are in a block, where nothing is missing', () => {
    const whole = completeBlock({ number: '0x1', transactions: [{ type: '0x2' }, '0xab', null] });
    assert.equal(completeBlock(whole), whole);
    const block = { ...(whole as object), transactions: [{ type: '0x76' }, { type: '0x2' }] };
    const { transactions } = completeBlock(block) as { transactions: object[] };
    assert.deepEqual(transactions[0], {
      type: '0x76',
      to: null,
      value: '0x0',
      input: '0x',
      nonce: '0x0',
      gas: '0x0',
    });
    assert.equal(transactions[1], block.transactions[1]);
  });
});

describe('transactions that no user sent', () => {
  const { transaction, block } = mined();

  it('mint the value of a deposit of Arbitrum, and what a submission deposits', () => {
    assert.equal(mintOf({ ...transaction, type: '0x64', value: '0x7' }), 7n);
    const submission = { ...transaction, type: '0x69', depositValue: '0x9' } as const;
    assert.equal(mintOf(submission), 9n);
    assert.equal(mintOf({ ...submission, depositValue: 'lots' } as never), 0n);
    assert.equal(mintOf({ ...transaction, type: '0x6a', value: '0x7' }), 0n);
  });

  it('are made by the chain itself', () => {
    const reason = (changes: object) => notExecutable({ ...transaction, ...changes }, block);
    assert.equal(
      reason({ type: '0x6a' }),
      "it was made by the chain itself (type 0x6a): ArbOS is not executed here, and only the chain's own node can execute it",
    );
    const system = { gasPrice: '0x0', gas: '0x7fffffffffffffff' };
    const text =
      "it was made by the chain itself (type 0x0), and only the chain's own node can execute it";
    assert.equal(reason({ type: '0x0', ...system }), text);
    assert.equal(reason({ type: '0x0', gasPrice: '0x0', gas: '0x0' }), text);
    assert.equal(reason({ ...system, gas: '0x5208' }), undefined);
    assert.equal(reason({}), undefined);
  });

  it('are not executed if their type is unknown here', () => {
    const { transaction, block } = mined();
    const reason = (type: string) => notExecutable({ ...transaction, type } as never, block);
    for (const type of ['0x5', '0x76', '0x7b', '0x7c', '0x7d']) {
      assert.equal(
        reason(type),
        `transactions of type ${type} are executed by the chain's own node only, and their analysis needs its debug API`,
      );
    }
    for (const type of ['0x0', '0x1', '0x2', '0x3', '0x4', '0x7e']) {
      assert.equal(reason(type), undefined);
    }
  });
});
