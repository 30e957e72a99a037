import assert from 'node:assert/strict';
import type { Hex } from '../../../../server/api/primitives';
import { ApiError } from '../../../../server/api/errors';
import { BlockExplorer } from '../../../../server/chains/explorer/block-explorer';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { toQuantity } from '../../../../server/evm/forms/quantity';
import type { RpcBlock } from '../../../../server/evm/forms/types';
import { account, mined, network } from '../../../support/analysis';
import { ScriptedRpc, type Handlers } from '../../../support/scripted-rpc';

const HEAD = 30;
const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;
const [ALICE, SHOP] = [account(0xa11), account(0xb0b)];

function blockOf(number: number, count = 3): RpcBlock {
  const { block, transaction } = mined();
  return {
    ...block,
    number: toQuantity(number),
    hash: hash(number),
    gasUsed: '0x5208',
    gasLimit: '0xa410',
    transactions: Array.from({ length: count }, (_, position) => ({
      ...transaction,
      hash: hash(1000 + position),
      from: ALICE,
      to: position === 2 ? null : SHOP,
      value: '0xde0b6b3a7640000',
      input: position === 1 ? '0x' : '0xa9059cbb00',
    })),
  };
}

function explorer(more: Handlers = {}) {
  const rpc = new ScriptedRpc({
    eth_getBlockByNumber: (number: Hex, full: boolean) => {
      if (Number(number) > HEAD) return null;
      const block = blockOf(Number(number));
      return full ? block : { ...block, transactions: block.transactions.map((one) => one.hash) };
    },
    eth_getBlockByHash: (of: Hex) => (of === hash(7) ? blockOf(7) : null),
    eth_getTransactionReceipt: (of: Hex) => ({
      status: of === hash(1001) ? '0x0' : '0x1',
      gasUsed: '0x5208',
      contractAddress: of === hash(1002) ? account(0xc0) : null,
    }),
    eth_chainId: () => '0x1',
    eth_blockNumber: () => toQuantity(HEAD),
    web3_clientVersion: () => 'Geth/v1.16',
    eth_getBalance: () => '0x0',
    debug_traceTransaction: () => ({}),
    ...more,
  });
  const on = network(rpc, { chain: 'eth', labels: { [SHOP]: 'Shop', [account(1)]: 'other' } });
  let time = 0;
  const blocks = new BlockExplorer({
    networks: { at: () => Promise.resolve({ network: on, block: blockOf(HEAD), tag: '' }) },
    userLabels: { labelsOf: () => Promise.resolve({ [ALICE]: 'alice' }) },
    methodNames: (selectors) =>
      Promise.resolve(new Map([...selectors].map((one) => [one, { method: 'transfer' }]))),
    now: () => (time += 5),
  });
  return { rpc, blocks, wait: (ms: number) => (time += ms) };
}
const { signal } = new AbortController();

describe('BlockExplorer', () => {
  it('lists a block with transactions in forms of their own', async () => {
    const strange = { hash: hash(1), type: '0x99', value: 'lots' };
    const { blocks } = explorer({
      eth_getBlockByNumber: () => ({
        ...blockOf(9, 1),
        transactions: [strange, ...blockOf(9, 1).transactions],
      }),
    });
    const page = await blocks.transactions('eth', '9', { limit: 5 }, 'user', signal);
    assert.deepEqual(
      page.transactions.map(({ from, to, value, method }) => [from, to, value, method]),
      [
        ['', null, '', ''],
        [ALICE, SHOP, '1', 'transfer'],
      ],
    );
  });

  it('lists blocks from the newest to the first one', async () => {
    const { blocks } = explorer();
    const page = await blocks.blocks('eth', { limit: 20 }, signal);
    assert.deepEqual(
      [page.head, page.blocks.length, page.blocks[0]?.number, page.next],
      [30, 20, 30, 11],
    );
    assert.deepEqual(page.blocks[0], {
      number: 30,
      hash: hash(30),
      timestamp: Number(mined().block.timestamp),
      transactionCount: 3,
      gasUsed: 21_000,
      gasLimit: 42_000,
    });
    const last = await blocks.blocks('eth', { before: 11, limit: 20 }, signal);
    assert.deepEqual(
      [last.blocks.length, last.blocks[0]?.number, last.blocks.at(-1)?.number, last.next],
      [11, 10, 0, null],
    );
    assert.deepEqual(await blocks.blocks('eth', { before: 0, limit: 20 }, signal), {
      head: 30,
      blocks: [],
      next: null,
    });
    const above = await blocks.blocks('eth', { before: 99, limit: 1 }, signal);
    assert.deepEqual([above.blocks[0]?.number, above.next], [30, 30]);
  });

  it('lists the transactions of a block by number and by hash', async () => {
    const { blocks, rpc } = explorer();
    const page = await blocks.transactions('eth', '0x7', { limit: 2 }, 'ann', signal);
    assert.equal(page.block.transactionCount, 3);
    assert.deepEqual(page.labels, { [SHOP]: 'Shop', [ALICE]: 'alice' });
    assert.deepEqual(page.transactions, [
      {
        hash: hash(1000),
        position: 0,
        from: ALICE,
        to: SHOP,
        created: null,
        value: '1',
        selector: '0xa9059cbb',
        method: 'transfer',
        status: true,
        gasUsed: 21_000,
      },
      {
        hash: hash(1001),
        position: 1,
        from: ALICE,
        to: SHOP,
        created: null,
        value: '1',
        selector: '',
        method: '',
        status: false,
        gasUsed: 21_000,
      },
    ]);
    assert.equal(page.next, 2);
    assert.equal(rpc.methods().filter((one) => one === 'eth_getTransactionReceipt').length, 2);
    const rest = await blocks.transactions('eth', hash(7), { from: 2, limit: 2 }, 'ann', signal);
    assert.deepEqual(
      rest.transactions.map(({ position, to, created, selector }) => [
        position,
        to,
        created,
        selector,
      ]),
      [[2, null, account(0xc0), '']],
    );
    assert.equal(rest.next, null);
  });

  it('says that an outcome is unknown where the node returns no receipts', async () => {
    const { blocks } = explorer({
      eth_getTransactionReceipt: () => {
        throw new RpcError(-32000, 'pruned');
      },
    });
    const { transactions } = await blocks.transactions('eth', '7', { limit: 5 }, 'ann', signal);
    assert.deepEqual(
      transactions.map(({ status, gasUsed }) => [status, gasUsed]),
      [
        [null, null],
        [null, null],
        [null, null],
      ],
    );
  });

  it('refuses a block that the chain lacks', async () => {
    const { blocks } = explorer();
    for (const block of ['31', hash(8)]) {
      await assert.rejects(
        blocks.transactions('eth', block, { limit: 5 }, 'ann', signal),
        (error) => error instanceof ApiError && error.kind === 'blockNotFound',
      );
    }
  });

  it('says what the node can do, and asks again after ten minutes', async () => {
    const { blocks, rpc, wait } = explorer();
    const facts = { client: 'Geth/v1.16', stateDepth: 30, debugApi: true };
    const health = await blocks.health('eth', signal);
    assert.deepEqual(health, {
      chain: 'eth',
      head: 30,
      timestamp: Number(mined().block.timestamp),
      latencyMs: 5,
      ...facts,
    });
    const asked = rpc.calls.length;
    await blocks.health('eth', signal);
    assert.equal(rpc.calls.length, asked);
    wait(600_000);
    await blocks.health('eth', signal);
    assert.ok(rpc.calls.length > asked);
  });

  it('says that it is unknown where the node does not tell', async () => {
    const { blocks } = explorer({ eth_chainId: () => null });
    const { stateDepth, debugApi, client } = await blocks.health('eth', signal);
    assert.deepEqual(
      { stateDepth, debugApi, client },
      { stateDepth: null, debugApi: null, client: '' },
    );
  });
});
