import assert from 'node:assert/strict';
import { RpcError, type RpcClient } from '../../../../server/evm/forms/json-rpc';
import { searchInRanges } from '../../../../server/evm/forms/search-in-ranges';

type Refusal = (first: number, last: number) => RpcError | undefined;

/** A node with one log in each block. */
function node(refusal: Refusal): { client: RpcClient; asked: [number, number][] } {
  const asked: [number, number][] = [];
  const client: RpcClient = {
    request: (_method, [filter]) => {
      const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
      const [first, last] = [Number(fromBlock), Number(toBlock)];
      asked.push([first, last]);
      const error = refusal(first, last);
      if (error) return Promise.reject(error);
      return Promise.resolve(Array.from({ length: last - first + 1 }, (_, index) => first + index));
    },
    requestAll: () => Promise.reject(new Error('not used')),
  };
  return { client, asked };
}

const ALCHEMY =
  'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [0x1, 0x7d0]';

/** Wording, its code, the real limit in blocks, and requests that 5,000 blocks may take. */
const WORDINGS: readonly (readonly [string, number, number, number])[] = [
  ['Too many logs requested. Max logs per response is 20000', -32005, 600, 25],
  ['limit exceeded', -32005, 600, 25],
  ['query timeout exceeded. Consider reducing your block range', -32000, 600, 25],
  [ALCHEMY, -32602, 2_000, 5],
  [
    'query returned more than 10000 results. Try with this block range [0x1, 0x3e8].',
    -32005,
    1_000,
    9,
  ],
  ['eth_getLogs is limited to a 1,000 range', -32614, 1_000, 8],
  ['eth_getLogs is limited to a 5 range, upgrade from discover plan', -32615, 1_000, 25],
  ['exceed maximum block range: 1000', -32701, 1_000, 8],
  ['requested too many blocks from 1 to 5000, maximum is set to 2048', -32000, 2_048, 10],
  ['query exceeds max results 20000, retry with the range 1-900', -32602, 900, 10],
  ['maximum [from, to] blocks distance: 1000', -32000, 1_000, 25],
  ['ranges over 1000 blocks are not supported on freetier', 35, 1_000, 8],
  ['a cap of 10 logs', -32005, 700, 25],
  ['request failed or timed out', -32603, 700, 25],
  ['response size should not greater than 10000000 bytes', -32000, 900, 25],
  ['block range is too wide', -32062, 900, 25],
];

describe('a search in as many ranges as a node requires', () => {
  for (const [message, code, limit, most] of WORDINGS) {
    it(message.slice(0, 80), async () => {
      const { client, asked } = node((first, last) =>
        last - first + 1 > limit ? new RpcError(code, message) : undefined,
      );
      const found = await searchInRanges(client, 'eth_getLogs', {}, { first: 1, last: 5_000 });
      assert.deepEqual(
        found,
        Array.from({ length: 5_000 }, (_, index) => index + 1),
      );
      assert.ok(asked.length <= most, `${asked.length} requests`);
    });
  }

  it('returns to longer ranges after a dense part', async () => {
    const isDense = (first: number, last: number) =>
      first <= 120 && last >= 100 && last > first + 1;
    const { client, asked } = node((first, last) =>
      isDense(first, last)
        ? new RpcError(-32005, 'query returned more than 10000 results')
        : undefined,
    );
    const found = await searchInRanges(client, 'eth_getLogs', {}, { first: 1, last: 100_000 });
    assert.equal(found.length, 100_000);
    assert.ok(asked.length < 200, `${asked.length} requests`);
  });

  it('reports the error of a single block, and errors of another meaning, at once', async () => {
    const always = node(() => new RpcError(-32005, 'limit exceeded'));
    const search = ({ client }: ReturnType<typeof node>) =>
      searchInRanges(client, 'eth_getLogs', {}, { first: 1, last: 1_000 });
    await assert.rejects(search(always), { code: -32005, message: 'limit exceeded' });
    assert.equal(always.asked.length, 11);
    for (const message of ['rate limit exceeded', 'invalid project id', 'missing trie node']) {
      const other = node(() => new RpcError(-32000, message));
      await assert.rejects(search(other), { message });
      assert.equal(other.asked.length, 1);
    }
  });

  it('bounds the number of requests', async () => {
    const { client, asked } = node((first, last) =>
      last > first ? new RpcError(-32602, 'block range is too wide') : undefined,
    );
    await assert.rejects(
      searchInRanges(client, 'eth_getLogs', {}, { first: 1, last: 10_000 }),
      /answers eth_getLogs for 1 blocks at a time; accepted: up to 1000 requests, which reach block \d+ of 10000/,
    );
    assert.equal(asked.length, 1_000);
  });
});
