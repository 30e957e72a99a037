import assert from 'node:assert/strict';
import { getCreateAddress } from 'ethers';
import type { Activity, BlockMarker, Watched } from '../../../../server/api/activity';
import type { Hex } from '../../../../server/api/primitives';
import { activitySince } from '../../../../server/chains/explorer/chain-activity';
import { ApiError } from '../../../../server/api/errors';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { toQuantity } from '../../../../server/evm/forms/quantity';
import type { RpcBlock } from '../../../../server/evm/forms/types';
import { account, mined, network } from '../../../support/analysis';
import { ScriptedRpc, type Handlers } from '../../../support/scripted-rpc';

const [ALICE, BOB, TOKEN, SHOP] = [0xa11, 0xb0b, 0x70, 0x5e].map(account) as [Hex, Hex, Hex, Hex];
const TRANSFER = `0x${'dd'.repeat(32)}` as const;
const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;
const word = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;

/** Each block pays the shop by Alice, and calls the token by another account. */
function blockOf(number: number): RpcBlock {
  const { block, transaction } = mined();
  const one = (position: number, from: Hex, to: Hex) => ({
    ...transaction,
    hash: hash(number * 100 + position),
    from,
    to,
    value: '0x0' as const,
    input: '0xa9059cbb' as const,
  });
  const transactions = [one(0, ALICE, SHOP), one(1, account(1), TOKEN)];
  return { ...block, number: toQuantity(number), hash: hash(number), transactions };
}

interface Filter {
  fromBlock: Hex;
  toBlock: Hex;
  address?: Hex[];
  topics?: (Hex[] | null)[];
}

/** A node that filters logs as the specification says: the token emits a transfer to Bob in each second transaction. */
function node(head: number, more: Handlers = {}) {
  const rpc = new ScriptedRpc({
    eth_getBlockByNumber: (number: Hex) => blockOf(Number(number)),
    eth_getTransactionReceipt: () => ({ status: '0x0', gasUsed: '0x5208' }),
    eth_getLogs: ({ fromBlock, toBlock, address, topics = [] }: Filter) => {
      const all = [];
      for (let number = Number(fromBlock); number <= Number(toBlock); number++) {
        const log = { address: TOKEN, topics: [TRANSFER, word(ALICE), word(BOB)] };
        all.push({ ...log, blockHash: hash(number), transactionHash: hash(number * 100 + 1) });
      }
      return all.filter(
        (log) =>
          (address === undefined || address.includes(log.address)) &&
          topics.every(
            (wanted, position) => wanted === null || wanted.includes(log.topics[position]!),
          ),
      );
    },
    ...more,
  });
  const find = (watches: Watched[], after?: BlockMarker): Promise<Activity> =>
    activitySince(
      network(rpc, { chain: 'eth', labels: { [ALICE]: 'alice', [BOB]: 'bob' } }),
      blockOf(head),
      { after, watches },
      () => Promise.resolve(new Map([['0xa9059cbb', { method: 'transfer' }] as const])),
      new AbortController().signal,
    );
  return { rpc, find };
}
const at = (number: number): BlockMarker => ({ number, hash: hash(number) });
const found = ({ transactions }: Activity): [number, number, number[]][] =>
  transactions.map(({ blockNumber, position, watches }) => [blockNumber, position, watches]);

describe('activity of watched addresses and events', () => {
  it('starts at the head, and asks nothing while there is no new block', async () => {
    const { find, rpc } = node(30);
    const start = await find([{ kind: 'address', address: ALICE }]);
    assert.deepEqual([start.head, start.blocks, start.count], [at(30), 0, 0]);
    assert.equal((await find([{ kind: 'address', address: ALICE }], at(30))).count, 0);
    assert.deepEqual(rpc.calls, []);
  });

  it('finds the transaction that deploys an address', async () => {
    const { transaction } = mined();
    const creation = { ...transaction, from: ALICE, to: null, nonce: '0x2', input: '0x6000' };
    const { find } = node(30, {
      eth_getBlockByNumber: (number: Hex) => ({
        ...blockOf(Number(number)),
        transactions: [creation],
      }),
    });
    const created = getCreateAddress({ from: ALICE, nonce: 2 }).toLowerCase() as Hex;
    const next = getCreateAddress({ from: ALICE, nonce: 3 }).toLowerCase() as Hex;
    const watches = [created, next].map((address): Watched => ({ kind: 'address', address }));
    assert.deepEqual(found(await find(watches, at(28))), [[29, 0, [0]]]);
  });

  it('finds transactions from and to an address, and those whose logs it emits or that name it', async () => {
    const { find } = node(30);
    const watches = [ALICE, BOB, TOKEN, SHOP, account(9)].map((address): Watched => ({
      kind: 'address',
      address,
    }));
    const activity = await find(watches, at(28));
    assert.deepEqual(found(activity), [
      [30, 1, [0, 1, 2]],
      [30, 0, [0, 3]],
      [29, 1, [0, 1, 2]],
      [29, 0, [0, 3]],
    ]);
    assert.deepEqual(
      [activity.blocks, activity.skipped, activity.reorganized, activity.count],
      [2, 0, false, 4],
    );
    assert.deepEqual(activity.labels, { [ALICE]: 'alice' });
    assert.deepEqual(activity.transactions[1], {
      hash: hash(3000),
      position: 0,
      from: ALICE,
      to: SHOP,
      created: null,
      value: '0',
      selector: '0xa9059cbb',
      method: 'transfer',
      status: false,
      gasUsed: 21_000,
      blockNumber: 30,
      watches: [0, 3],
    });
  });

  it('finds an event of any contract, and of one contract only', async () => {
    const { find } = node(30);
    const event = { kind: 'event', topic: TRANSFER } as const;
    const activity = await find(
      [
        event,
        { ...event, address: TOKEN },
        { ...event, address: SHOP },
        { ...event, topic: hash(1) },
      ],
      at(29),
    );
    assert.deepEqual(found(activity), [[30, 1, [0, 1]]]);
  });

  it('reads no more than 50 blocks, says how many it skipped, and lists 25 of the matches', async () => {
    const { find, rpc } = node(200);
    const activity = await find([{ kind: 'address', address: ALICE }], at(99));
    assert.deepEqual([activity.blocks, activity.skipped, activity.count], [50, 51, 100]);
    assert.deepEqual(
      [activity.transactions.length, activity.transactions[0]?.blockNumber],
      [25, 200],
    );
    const blocks = rpc.calls.filter(({ params }) => params[1] === true);
    assert.deepEqual([blocks.length, blocks[0]?.params[0]], [49, toQuantity(151)]);
  });

  it('reads blocks below a replaced block again', async () => {
    const { find } = node(30);
    const watches: Watched[] = [{ kind: 'address', address: SHOP }];
    const replaced = await find(watches, { number: 29, hash: hash(777) });
    assert.deepEqual([replaced.reorganized, replaced.blocks, replaced.skipped], [true, 9, 0]);
    const reverted = await find(watches, { number: 40, hash: hash(777) });
    assert.deepEqual([reverted.reorganized, reverted.blocks], [true, 8]);
    const early = await node(2).find(watches, { number: 5, hash: hash(777) });
    assert.deepEqual([early.blocks, early.skipped], [3, 0]);
  });

  it('says what the node refuses, and what it lacks', async () => {
    const watches: Watched[] = [{ kind: 'address', address: SHOP }];
    const refuses = node(30, {
      eth_getLogs: () => {
        throw new RpcError(-32005, 'too many results');
      },
    });
    await assert.rejects(
      refuses.find(watches, at(28)),
      (error) =>
        error instanceof ApiError &&
        error.kind === 'upstreamLacksData' &&
        error.message.endsWith('too many results'),
    );
    const lacks = node(30, {
      eth_getBlockByNumber: (number: Hex) =>
        Number(number) === 29 ? null : blockOf(Number(number)),
    });
    await assert.rejects(lacks.find(watches, at(28)), /lacks a block below its head/);
  });
});
