import assert from 'node:assert/strict';
import { transactionsOfAddress } from '../../../../server/chains/explorer/address-transactions';
import { account, mined, network } from '../../../support/analysis';
import { ScriptedRpc, type Handlers } from '../../../support/scripted-rpc';

const SHOP = account(0xb0b);
const ALICE = account(0xa11);
const { signal } = new AbortController();

describe('transactions of an address', () => {
  const { transaction, receipt } = mined();
  const tx = {
    ...transaction,
    from: ALICE,
    to: SHOP,
    input: '0xa9059cbb00',
    value: '0xde0b6b3a7640000',
    blockNumber: '0x1e',
    transactionIndex: '0x2',
  };
  const found = (handlers: Handlers, before?: number) => {
    const rpc = new ScriptedRpc(handlers);
    const on = network(rpc, { labels: { [SHOP]: 'Shop', [account(1)]: 'other' } });
    const page = { head: 50, limit: 5, ...(before !== undefined && { before }) };
    const names = () =>
      Promise.resolve(new Map([['0xa9059cbb', { method: 'transfer', isGuessed: true }]] as const));
    return { rpc, answer: transactionsOfAddress(on, SHOP, page, names, signal) };
  };
  const page = (lastPage: boolean) => () => ({
    txs: [tx],
    receipts: [{ ...receipt, status: '0x0', gasUsed: '0x5208' }],
    firstPage: true,
    lastPage,
  });

  it('are those of the index of its node, page by page', async () => {
    const { rpc, answer } = found({ ots_searchTransactionsBefore: page(false) }, 40);
    const { transactions, ...others } = await answer;
    assert.deepEqual(others, {
      isIndexed: true,
      nativeSymbol: 'ETH',
      labels: { [SHOP]: 'Shop' },
      next: 30,
    });
    assert.deepEqual(
      transactions.map(({ blockNumber, position, method, value, status, gasUsed }) => [
        blockNumber,
        position,
        method,
        value,
        status,
        gasUsed,
      ]),
      [[30, 2, 'transfer', '1', false, 21000]],
    );
    assert.deepEqual(rpc.calls[0]?.params, [SHOP, 40, 5]);
    const newest = found({ ots_searchTransactionsBefore: page(true) });
    assert.equal((await newest.answer).next, null);
    assert.deepEqual(newest.rpc.calls[0]?.params, [SHOP, 0, 5]);
  });

  it('are searched from the head at the highest, and below block 0 never', async () => {
    for (const [before, asked] of [
      [51, 51],
      [52, 51],
      [10 ** 15 - 1, 51],
      [1, 1],
      [0, 1],
    ] as const) {
      const { rpc, answer } = found({ ots_searchTransactionsBefore: page(true) }, before);
      await answer;
      assert.deepEqual(rpc.calls[0]?.params, [SHOP, asked, 5]);
    }
  });

  it('are unknown where the node has no index, or answers in another form', async () => {
    const none = {
      isIndexed: false,
      nativeSymbol: 'ETH',
      labels: {},
      transactions: [],
      next: null,
    };
    assert.deepEqual(await found({}).answer, none);
    for (const answer of [null, {}, { txs: [{ hash: 'x' }], receipts: [] }]) {
      const handlers = { ots_searchTransactionsBefore: () => answer };
      assert.deepEqual(await found(handlers).answer, none);
    }
  });

  it('are a failure where the node cannot be reached', async () => {
    const unreachable = (): never => {
      throw new TypeError('unreachable');
    };
    await assert.rejects(found({ ots_searchTransactionsBefore: unreachable }).answer, TypeError);
  });
});
