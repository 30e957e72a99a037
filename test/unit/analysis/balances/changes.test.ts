import assert from 'node:assert/strict';
import { balanceChangeWork } from '../../../../server/analysis/balances/changes';
import { netChanges, pricedAssets } from '../../../../server/analysis/balances/net-changes';
import type { Price, TokenFacts } from '../../../../server/analysis/ports';
import type { Transfer } from '../../../../server/analysis/transfers/transfer';
import { NATIVE_ASSET } from '../../../../server/api/explorer';
import type { Address } from '../../../../server/api/primitives';
import { atOnce } from '../../../../server/async/slices';
import { account } from '../../../support/analysis';

const [A, B, C, D] = [account(0xa11), account(0xb0b), account(0xc0c), account(0xd0d)] as const;
const TOKEN = account(0x70);
const native = (from: Address, to: Address, amount: bigint): Transfer => ({
  standard: 'native',
  asset: NATIVE_ASSET,
  from,
  to,
  amount,
});
const erc20 = (from: Address, to: Address, amount: bigint): Transfer => ({
  ...native(from, to, amount),
  standard: 'erc20',
  asset: TOKEN,
});
const changes = (
  transfers: Transfer[],
  facts: { token?: TokenFacts; prices?: [Address, Price][]; first?: Address[] } = {},
) =>
  atOnce(
    balanceChangeWork(netChanges(transfers), facts.first ?? [], {
      tokens: new Map(facts.token ? [[TOKEN, facts.token]] : []),
      prices: new Map(facts.prices),
      nativeSymbol: 'ETH',
    }),
  );

describe('balance changes', () => {
  it('are nets, without zero nets', () => {
    const found = changes([native(A, B, 5n), native(B, A, 2n), native(C, D, 1n), native(D, C, 1n)]);
    assert.deepEqual(
      found.map(({ account: who, assets }) => [
        who,
        assets.map(({ sign, rawAmount }) => [sign, rawAmount]),
      ]),
      [
        [A, [[false, '3']]],
        [B, [[true, '3']]],
      ],
    );
    assert.deepEqual(changes([native(A, A, 5n)]), []);
  });

  it('have the documented fields, amounts as plain decimals', () => {
    assert.deepEqual(changes([native(A, B, 828480947756106932n)], { first: [A, B] })[0], {
      account: A,
      assets: [
        {
          address: NATIVE_ASSET,
          rawAmount: '828480947756106932',
          amount: '0.828480947756106932',
          sign: false,
          value: '',
          isERC1155: false,
          isERC721: false,
          symbol: 'ETH',
          decimals: 18,
        },
      ],
    });
  });

  it('are ordered: sender, receiver, then ascending', () => {
    const transfers = [native(D, A, 1n), native(C, B, 1n)];
    const order = (first: Address[]) => changes(transfers, { first }).map((one) => one.account);
    assert.deepEqual(order([D, C]), [D, C, A, B]);
    assert.deepEqual(order([C, account(0x99)]), [C, A, B, D]);
    assert.deepEqual(order([]), [A, B, C, D]);
  });

  it('leave the amount empty if the decimals are unknown, and accept 0 decimals as known', () => {
    const amount = (token?: TokenFacts) =>
      changes([erc20(A, B, 1500n)], token ? { token } : {})[0]?.assets[0]?.amount;
    assert.equal(amount(), '');
    assert.equal(amount({ symbol: 'PTS' }), '');
    assert.equal(amount({ decimals: 0 }), '1500');
    assert.equal(amount({ decimals: 2 }), '15');
    assert.equal(amount({ decimals: 255 })?.length, 2 + 255 - 2);
  });

  it('contain one entry per token id, without decimals', () => {
    const nft = (tokenId: bigint, standard: 'erc721' | 'erc1155'): Transfer => ({
      ...erc20(A, B, 2n),
      standard,
      tokenId,
    });
    const [sent] = changes([nft(10n, 'erc1155'), nft(9n, 'erc1155'), nft(9n, 'erc721')], {
      token: { decimals: 18, symbol: 'NFT' },
    });
    assert.deepEqual(
      sent?.assets.map(({ tokenId, amount, isERC721, isERC1155, symbol, decimals }) => [
        tokenId,
        amount,
        isERC721,
        isERC1155,
        symbol,
        decimals,
      ]),
      [
        ['9', '', false, true, 'NFT', undefined],
        ['9', '', true, false, 'NFT', undefined],
        ['10', '', false, true, 'NFT', undefined],
      ],
    );
    assert.deepEqual(
      pricedAssets(netChanges([nft(1n, 'erc721'), native(A, B, 1n), erc20(A, B, 1n)])),
      [NATIVE_ASSET, TOKEN],
    );
  });

  it('value assets exactly by their price', () => {
    const price: Price = { value: 292073150001n, decimals: 8 };
    const value = (prices: [Address, Price][], token?: TokenFacts) =>
      changes([erc20(A, B, 1234567n)], { prices, ...(token ? { token } : {}) })[0]?.assets[0]
        ?.value;
    assert.equal(value([[TOKEN, price]], { decimals: 6 }), '3605.83872577284567');
    assert.equal(value([[TOKEN, price]]), '');
    assert.equal(value([], { decimals: 6 }), '');
  });
});
