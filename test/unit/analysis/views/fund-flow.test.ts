import assert from 'node:assert/strict';
import { atOnce } from '../../../../server/kernel/async/slices';
import { id } from 'ethers';
import { fundFlowWork } from '../../../../server/analysis/views/fund-flow';
import type { Price } from '../../../../server/analysis/ports';
import { placedTransfers } from '../../../../server/analysis/transfers/collect';
import { NATIVE_ASSET } from '../../../../server/api/explorer';
import type { Address, Hash } from '../../../../server/api/primitives';
import { account, frame, log, word } from '../../../support/analysis';

const TRANSFER = id('Transfer(address,address,uint256)') as Hash;
const TOKEN = account(0x70);
const NFT = account(0x721);
const transferLog = (from: number, to: number, amount: bigint) =>
  log(TOKEN, [TRANSFER, word(account(from)), word(account(to))], word(amount));

const context = { contracts: new Map(), destructionNeedsCreation: true };
const facts = {
  tokens: new Map([[TOKEN, { symbol: 'TKN', decimals: 2 }]]),
  prices: new Map<Address, Price>([
    [NATIVE_ASSET, { value: 2000n, decimals: 0 }],
    [TOKEN, { value: 15n, decimals: 1 }],
  ]),
  nativeSymbol: 'ETH',
};

describe('fund flow', () => {
  it('lists transfers in order, each with its node and the call that contains it', () => {
    const root = frame({
      value: 10n ** 18n, // node 0
      items: [
        frame({ from: account(0xb0b), to: account(2), items: [transferLog(2, 3, 150n)] }), // 1, 2
        transferLog(3, 2, 50n), // 3, of the top call
        frame({ from: account(0xb0b), to: account(4), value: 5n, error: 'execution reverted' }), // 4
        frame({ type: 'DELEGATECALL', to: account(5), items: [transferLog(4, 5, 1n)] }), // 5, 6
      ],
    });
    const flow = atOnce(fundFlowWork([...placedTransfers(root, context)], facts));
    assert.deepEqual(
      flow.map(({ order, nodeId, frameId, rawAmount, amount, value }) => ({
        order,
        nodeId,
        frameId,
        rawAmount,
        amount,
        value,
      })),
      [
        {
          order: 0,
          nodeId: 0,
          frameId: 0,
          rawAmount: '1000000000000000000',
          amount: '1',
          value: '2000',
        },
        { order: 1, nodeId: 2, frameId: 1, rawAmount: '150', amount: '1.5', value: '2.25' },
        { order: 2, nodeId: 3, frameId: 0, rawAmount: '50', amount: '0.5', value: '0.75' },
        { order: 3, nodeId: 6, frameId: 5, rawAmount: '1', amount: '0.01', value: '0.015' },
      ],
    );
    assert.deepEqual(flow[1], {
      order: 1,
      nodeId: 2,
      frameId: 1,
      from: account(2),
      to: account(3),
      asset: TOKEN,
      standard: 'erc20',
      rawAmount: '150',
      amount: '1.5',
      value: '2.25',
      symbol: 'TKN',
      decimals: 2,
    });
  });

  it('contains ids of tokens, and omits unknown amounts, values and accounts', () => {
    const root = frame({
      items: [
        log(NFT, [TRANSFER, word(account(1)), word(account(2)), word(77n)]),
        frame({
          type: 'CREATE',
          from: account(0xb0b),
          to: account(6),
          items: [frame({ type: 'SELFDESTRUCT', from: account(6), to: account(6), value: 9n })],
        }),
      ],
    });
    const [nft, burnt] = atOnce(
      fundFlowWork([...placedTransfers(root, context)], {
        ...facts,
        prices: new Map(),
      }),
    );
    assert.deepEqual(nft, {
      order: 0,
      nodeId: 1,
      frameId: 0,
      from: account(1),
      to: account(2),
      asset: NFT,
      standard: 'erc721',
      rawAmount: '1',
      amount: '',
      value: '',
      tokenId: '77',
    });
    assert.deepEqual([burnt?.from, burnt?.to, burnt?.value], [account(6), '', '']);
  });
});
