import assert from 'node:assert/strict';
import { BlockPayments } from '../../../../server/execution/replay/block-payments';
import {
  factsOf,
  unexplained,
  type StateFact,
} from '../../../../server/execution/replay/compare-state';
import type { Address } from '../../../../server/api/primitives';
import type { RpcBlock, RpcReceipt, RpcTransaction } from '../../../../server/evm/forms/types';
import { toQuantity } from '../../../../server/evm/forms/quantity';
import { account, mined, word } from '../../../support/analysis';

const [ALICE, BOB, MINER, HEIR] = [account(0xa), account(0xb), account(0xfee), account(0x4e)];
const WITHDRAWALS = '0x00000961ef480eb55e80d19ad83579a64c007002';
const GWEI = 10n ** 9n;

interface Later {
  from?: Address;
  to?: Address;
  value?: bigint;
  status?: '0x0' | '0x1';
}

/** A block with a first transaction and later ones, which each use 100 gas at a price of 7 wei and a base fee of 5. */
function blockOf(later: readonly Later[], fields: Partial<RpcBlock> = {}) {
  const { transaction, receipt, block } = mined();
  const all = [{}, ...later];
  const transactions = all.map(({ from = ALICE, to = BOB, value = 0n }: Later): RpcTransaction => ({
    ...transaction,
    from,
    to,
    value: toQuantity(value),
  }));
  const receipts = all.map(({ status = '0x1' }: Later): RpcReceipt => ({
    ...receipt,
    status,
    gasUsed: toQuantity(100),
    effectiveGasPrice: '0x7',
    logs: [],
  }));
  return {
    block: { ...block, miner: MINER, baseFeePerGas: '0x5', ...fields, transactions } as RpcBlock,
    receipts,
  };
}

const BALANCE: StateFact = { account: MINER, kind: 'balance', value: '1000' };
const NONCE: StateFact = { account: ALICE, kind: 'nonce', value: '1' };

/** Whether the balance of the fee recipient is explained: 1000 wei by the replay, and `found` after the block. */
function isExplained(
  found: bigint,
  later: readonly Later[],
  fields: Partial<RpcBlock> = {},
  fact = BALANCE,
): boolean {
  const { block, receipts } = blockOf(later, fields);
  const differing = [{ fact, found: found.toString() }];
  return unexplained([fact, NONCE], differing, block, receipts, 0).length === 0;
}

describe('the facts that a proof compares', () => {
  it('are those of all accounts, except the storage that the end of a block changes', () => {
    const facts = factsOf({
      pre: { [MINER]: { balance: '0x1' }, [WITHDRAWALS]: { balance: '0x0', storage: {} } },
      post: {
        [MINER]: { balance: '0x5' },
        [WITHDRAWALS]: { balance: '0x1', storage: { [word(0)]: word(1) } },
      },
    });
    assert.deepEqual(facts, [
      { account: MINER, kind: 'balance', value: '5' },
      { account: WITHDRAWALS, kind: 'balance', value: '1' },
    ]);
  });
});

describe('a balance of the fee recipient that differs after the block', () => {
  it('is explained by the tips of later transactions, to the wei', () => {
    assert.equal(isExplained(1000n, []), true);
    assert.equal(isExplained(1400n, [{}, {}]), true);
    assert.equal(isExplained(1401n, [{}, {}]), false);
    assert.equal(isExplained(1200n, [{}, {}]), false);
  });

  it('is explained by what it sends and gets itself', () => {
    assert.equal(isExplained(1000n + 200n - 700n - 50n, [{ from: MINER, value: 50n }]), true);
    assert.equal(
      isExplained(1000n + 200n - 700n, [{ from: MINER, value: 50n, status: '0x0' }]),
      true,
    );
    assert.equal(isExplained(1000n + 200n + 9n, [{ to: MINER, value: 9n }]), true);
    assert.equal(isExplained(1000n + 200n + 9n, [{ to: MINER, value: 8n }]), false);
  });

  it('is explained by withdrawals, and before the merge by the reward', () => {
    const withdrawals = [{ address: MINER, amount: '0x2' as const }];
    assert.equal(isExplained(1000n + 2n * GWEI, [], { withdrawals }), true);
    assert.equal(isExplained(1000n + 2n * GWEI + 1n, [], { withdrawals }), false);
    const reward = 2n * 10n ** 18n;
    for (const uncles of [0n, 1n, 2n]) {
      const found = 1000n + reward + (reward / 32n) * uncles;
      assert.equal(isExplained(found, [], { difficulty: '0x9' }), true);
      assert.equal(isExplained(found + 1n, [], { difficulty: '0x9' }), false);
      assert.equal(isExplained(found, [], { difficulty: '0x0' }), false);
    }
  });

  it('is not explained by a later transaction that mentions it, unlike that of another account', () => {
    const heir: StateFact = { account: HEIR, kind: 'balance', value: '1000' };
    assert.equal(isExplained(5n, [{ to: MINER }]), false);
    assert.equal(isExplained(5n, [{ to: HEIR }], {}, heir), true);
    assert.equal(isExplained(5n, [{ to: BOB }], {}, heir), false);
  });

  it('is not explained if nothing else was confirmed', () => {
    const { block, receipts } = blockOf([{ to: HEIR }]);
    const fact: StateFact = { account: HEIR, kind: 'balance', value: '1' };
    const differing = [{ fact, found: '2' }];
    assert.deepEqual(unexplained([fact], differing, block, receipts, 0), differing);
  });
});

describe('the payments of a block', () => {
  it('sum up the withdrawals of an account, and concern no other one', () => {
    const withdrawals = [1, 2].map((amount) => ({ address: HEIR, amount: toQuantity(amount) }));
    const { block } = blockOf([], { withdrawals });
    const payments = new BlockPayments(block);
    assert.deepEqual(
      [HEIR, MINER, BOB].map((one) => payments.concern(one)),
      [true, true, false],
    );
    assert.equal(payments.explain(HEIR, 5n, 5n + 3n * GWEI), true);
    assert.equal(payments.explain(HEIR, 5n, 5n + 2n * GWEI), false);
  });
});
