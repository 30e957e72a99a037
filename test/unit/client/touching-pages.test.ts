import assert from 'node:assert/strict';
import type { Touching } from '../../../server/api/regress';
import { touching } from '../../../server/client/touching-pages';

/** A chain with one transaction in each block, and a node that lists the newest of a range. */
const nodeOf =
  (blocks: number, asked: object[]) =>
  (page: { last: number; from?: number; to?: number }): Promise<Touching> => {
    asked.push(page);
    const { last, from = 0, to = blocks - 1 } = page;
    const first = Math.max(from, to - last + 1);
    const transactions = Array.from({ length: to - first + 1 }, (_, index) => `0x${first + index}`);
    return Promise.resolve({ transactions, by: 'index', from, oldest: first });
  };

describe('transactions of a contract in pages', () => {
  it('are the newest ones, oldest first, each once', async () => {
    const asked: object[] = [];
    const wanted = { last: 2_500, from: undefined, to: undefined };
    const { transactions, by } = await touching(wanted, nodeOf(10_000, asked));
    assert.equal(by, 'index');
    assert.deepEqual(
      [transactions.length, transactions[0], transactions.at(-1)],
      [2_500, '0x7500', '0x9999'],
    );
    assert.deepEqual(asked, [
      { last: 1_000 },
      { last: 1_000, to: 9_000 },
      { last: 1_000, to: 8_001 },
    ]);
  });

  it('end where there are no more, also in a block with more than a page', async () => {
    const few = await touching({ last: 2_500, from: 40, to: 90 }, nodeOf(10_000, []));
    assert.equal(few.transactions.length, 51);
    const same = Array.from({ length: 1_000 }, (_, index) => `0x${index}`);
    const answer: Touching = { transactions: same, by: 'logs', from: 0, oldest: 5 };
    const { transactions } = await touching({ last: 5_000, from: undefined, to: undefined }, () =>
      Promise.resolve(answer),
    );
    assert.equal(transactions.length, 1_000);
  });
});
