import assert from 'node:assert/strict';
import { parseBlockReference } from '../../../../server/api/chain-block';
import { ApiError, type ApiErrorName } from '../../../../server/api/errors';
import { findBlock } from '../../../../server/chains/explorer/find-block';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { toQuantity } from '../../../../server/evm/forms/quantity';
import { ScriptedRpc, type Handlers } from '../../../support/scripted-rpc';

const HASH = `0x${'ab'.repeat(32)}` as const;

/** A chain with the given block times. */
function chainOf(times: readonly number[], more: Handlers = {}) {
  const block = (number: number): object | null =>
    times[number] === undefined
      ? null
      : {
          number: toQuantity(number),
          hash: `0x${number.toString(16).padStart(64, '0')}`,
          timestamp: toQuantity(times[number]),
          transactions: ['0x1', '0x2'],
        };
  const rpc = new ScriptedRpc({
    eth_getBlockByNumber: (tag: string) =>
      tag === 'latest' ? block(times.length - 1) : block(Number(tag)),
    ...more,
  });
  return { slug: 'eth', rpc, signal: new AbortController().signal };
}

const fails = (kind: ApiErrorName, message: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.kind === kind && message.test(error.message);

describe('a block reference', () => {
  it('is a tag, a number, a time in UTC or a transaction', () => {
    assert.deepEqual(parseBlockReference(' Latest '), { kind: 'tag', tag: 'latest' });
    assert.deepEqual(parseBlockReference('19000123'), { kind: 'number', number: 19_000_123n });
    assert.deepEqual(parseBlockReference('0x121eb3b'), { kind: 'number', number: 19_000_123n });
    assert.deepEqual(parseBlockReference(HASH.toUpperCase().replace('0X', '0x')), {
      kind: 'transaction',
      hash: HASH,
    });
    const at = (text: string) => parseBlockReference(text);
    assert.deepEqual(at('2024-01-13'), { kind: 'time', time: 1_705_104_000 });
    assert.deepEqual(at('2024-01-13T11:20:35Z'), { kind: 'time', time: 1_705_144_835 });
    assert.deepEqual(at('2024-01-13T11:20:35.999Z'), { kind: 'time', time: 1_705_144_835 });
    assert.deepEqual(at('2024-01-13 11:20'), { kind: 'time', time: 1_705_144_800 });
    assert.deepEqual(at('2024-01-13T12:20:35+01:00'), { kind: 'time', time: 1_705_144_835 });
  });

  it('is nothing else', () => {
    for (const text of [
      '',
      'pending',
      '-1',
      '1.5',
      '0x',
      `${HASH}0`,
      HASH.slice(0, 50),
      '18446744073709551616',
      '2024-02-31',
      '2024-13-01',
      '2024-01-13T25:00',
      'yesterday',
    ]) {
      assert.equal(parseBlockReference(text), undefined, text);
    }
  });
});

describe('finding a block', () => {
  it('returns everything that a fork at this block needs', async () => {
    assert.deepEqual(await findBlock(chainOf([100, 112, 124]), { kind: 'number', number: 1n }), {
      height: '0x1',
      number: 1,
      hash: `0x${'1'.padStart(64, '0')}`,
      timestamp: 112,
      transactionCount: 2,
      position: null,
    });
  });

  it('falls back to the newest block if the chain does not support `safe`', async () => {
    const handlers = {
      eth_getBlockByNumber: (tag: string) => {
        if (tag === 'safe') throw new RpcError(-32602, 'safe block not found');
        return { number: '0x7', hash: HASH, timestamp: '0x1', transactions: [] };
      },
    };
    assert.equal((await findBlock(chainOf([], handlers), { kind: 'tag', tag: 'safe' })).number, 7);
  });

  it('finds the newest block up to a time, even if block times are uneven', async () => {
    const gaps = Array.from({ length: 3_000 }, (_, i) => (i % 700 === 0 ? 100_000 : 1 + (i % 13)));
    const times: number[] = [0];
    for (const gap of gaps) times.push(times.at(-1)! + gap);
    for (const time of [times[1]!, times[1]! + 1, times[699]!, times[701]! - 1, times[2_999]!]) {
      const chain = chainOf(times);
      const found = await findBlock(chain, { kind: 'time', time });
      const expected = times.findLastIndex((one) => one <= time);
      assert.equal(found.number, expected, String(time));
      assert.ok(chain.rpc.calls.length <= 30, `${chain.rpc.calls.length} requests`);
    }
    const last = await findBlock(chainOf(times), { kind: 'time', time: times.at(-1)! });
    assert.equal(last.number, 3_000);
  });

  it('rejects a time outside the chain’s range', async () => {
    const chain = chainOf([0, 1_705_104_000, 1_705_104_012]);
    for (const time of [1_705_103_999, 1_705_104_013]) {
      await assert.rejects(
        findBlock(chain, { kind: 'time', time }),
        fails('blockNotFound', /accepted: 2024-01-13T00:00:00Z to 2024-01-13T00:00:12Z/),
      );
    }
  });

  it('finds the block of a transaction, and its position', async () => {
    const place = { blockNumber: '0x2', transactionIndex: '0x1' };
    const chain = chainOf([100, 112, 124], { eth_getTransactionByHash: () => place });
    const { number, position } = await findBlock(chain, { kind: 'transaction', hash: HASH });
    assert.deepEqual([number, position], [2, 1]);
  });

  it('finds a block by its hash', async () => {
    const chain = chainOf([100, 112], {
      eth_getTransactionByHash: () => null,
      eth_getBlockByHash: () => ({ number: '0x1' }),
    });
    const { hash } = await findBlock(chain, { kind: 'number', number: 1n });
    const of = (one: string) =>
      findBlock(chain, { kind: 'transaction', hash: one as `0x${string}` });
    const found = await of(hash);
    assert.deepEqual([found.number, found.hash, found.position], [1, hash, null]);
    const removed = `0x${'77'.repeat(32)}`;
    await assert.rejects(of(removed), fails('transactionNotFound', /eth/));
  });

  it('reports why there is none', async () => {
    const transaction = { kind: 'transaction', hash: HASH } as const;
    const unknown = chainOf([100], {
      eth_getTransactionByHash: () => null,
      eth_getBlockByHash: () => null,
    });
    await assert.rejects(findBlock(unknown, transaction), fails('transactionNotFound', /eth/));
    const pending = chainOf([100], {
      eth_getTransactionByHash: () => ({ blockNumber: null, transactionIndex: null }),
    });
    await assert.rejects(findBlock(pending, transaction), fails('transactionPending', /not in a/));
    await assert.rejects(
      findBlock(chainOf([100, 112]), { kind: 'number', number: 9n }),
      fails('blockNotFound', /^at is block 9; accepted: up to 1, the head of eth$/),
    );
  });
});
