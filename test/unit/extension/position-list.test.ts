import assert from 'node:assert/strict';
import { positionItems } from '../../../extension/forks/position-list';
import type { ApiClient } from '../../../extension/model/api-client';
import type { ChainBlock } from '../../../server/api/chain-block';

const ALICE = `0x${'a1'.repeat(20)}`;
const SHOP = `0x${'b0'.repeat(20)}`;

/** A block of a chain whose transactions are listed in pages. */
function blockOf(count: number): { client: ApiClient; block: ChainBlock; asked: string[] } {
  const asked: string[] = [];
  const client = {
    call: (_: string, { query }: { query: { from: string; limit: number } }) => {
      asked.push(query.from);
      const from = Number(query.from);
      const end = Math.min(from + query.limit, count);
      return Promise.resolve({
        labels: { [ALICE]: 'alice', [SHOP]: 'Shop' },
        nativeSymbol: 'ETH',
        transactions: Array.from({ length: end - from }, (__, index) => ({
          hash: `0x${from + index}`,
          position: from + index,
          from: ALICE,
          to: SHOP,
          created: null,
          value: '2',
          selector: '0x12345678',
          method: 'buy',
          status: true,
        })),
        next: end < count ? end : null,
      });
    },
  } as unknown as ApiClient;
  return { client, block: { hash: '0xb', transactionCount: count } as ChainBlock, asked };
}

describe('the positions of a block', () => {
  it('are named by the transactions that follow them, and the end of the block', async () => {
    const { client, block } = blockOf(2);
    const items = await positionItems(client, 'eth', block);
    assert.deepEqual(
      items.map(({ label, description, value }) => [label, description, value]),
      [
        ['After the whole block', '2 transactions', undefined],
        ['0: right before buy', 'alice → Shop · 2 ETH', 0],
        ['1: right before buy', 'alice → Shop · 2 ETH', 1],
        ['Enter a position…', '0 to 2', 'other'],
      ],
    );
  });

  it('are loaded in pages, and bounded', async () => {
    const { client, block, asked } = blockOf(2_000);
    const items = await positionItems(client, 'eth', block);
    assert.equal(items.length, 502);
    assert.deepEqual(asked, ['0', '100', '200', '300', '400']);
  });
});
