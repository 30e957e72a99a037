import assert from 'node:assert/strict';
import { balanceChangeWork } from '../../../../server/analysis/balances/changes';
import { claimKey } from '../../../../server/analysis/balances/claims';
import { unreportedChanges } from '../../../../server/analysis/balances/verdict';
import { netChanges, pricedAssets } from '../../../../server/analysis/balances/net-changes';
import type { Price, TokenFacts } from '../../../../server/analysis/ports';
import type { Transfer } from '../../../../server/analysis/transfers/transfer';
import { NATIVE_ASSET } from '../../../../server/api/explorer';
import type { Address } from '../../../../server/api/primitives';
import { atOnce } from '../../../../server/kernel/async/slices';
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

describe('balance changes of several assets', () => {
  const other = account(0x71);
  const third = account(0x72);
  const of = (asset: Address): Transfer => ({ ...erc20(A, B, 5n), asset });

  it('list the native asset first, then tokens ascending', () => {
    const found = changes([of(third), of(TOKEN), native(A, B, 5n), of(other)], { first: [A] });
    assert.deepEqual(
      found[0]?.assets.map(({ address }) => address),
      [NATIVE_ASSET, TOKEN, other, third],
    );
  });

  it('list the tokens of a contract without an id before those with ids, ascending', () => {
    const transfers = [2n, undefined, 1n, 0n].map((tokenId): Transfer => ({
      ...of(TOKEN),
      ...(tokenId === undefined ? {} : { standard: 'erc1155', tokenId }),
    }));
    assert.deepEqual(
      changes(transfers)[0]?.assets.map(({ tokenId }) => tokenId),
      [undefined, '0', '1', '2'],
    );
  });

  it('have no account for a side that does not exist', () => {
    const minted: Transfer = { ...native(A, B, 5n), from: undefined };
    assert.deepEqual(netChanges([minted]), [
      { account: B, asset: NATIVE_ASSET, standard: 'native', amount: 5n },
    ]);
  });

  it('contain the price with its source and time, and no unknown field', () => {
    const price: Price = { value: 15n, decimals: 1, source: 'chainlink', time: 1_700_000_000 };
    const first = (prices: [Address, Price][], token?: TokenFacts) =>
      changes([erc20(A, B, 2n)], { prices, ...(token ? { token } : {}) })[0]?.assets[0];
    const plain = { address: TOKEN, rawAmount: '2', sign: false };
    const kind = { isERC1155: false, isERC721: false };
    assert.deepEqual(first([[TOKEN, price]], { decimals: 0 }), {
      ...plain,
      ...kind,
      amount: '2',
      value: '3',
      decimals: 0,
      price: { value: '1.5', source: 'chainlink', time: 1_700_000_000 },
    });
    assert.deepEqual(first([[TOKEN, price]]), { ...plain, ...kind, amount: '', value: '' });
    const bare: Price = { value: 15n, decimals: 1 };
    assert.equal('price' in first([[TOKEN, bare]], { decimals: 0 })!, false);
    const timeless: Price = { ...bare, source: 'chainlink' };
    assert.equal('price' in first([[TOKEN, timeless]], { decimals: 0 })!, false);
  });

  it('contain whether the state confirms them', () => {
    const checked = new Map(
      [
        { account: A, asset: TOKEN, standard: 'erc20' as const, amount: -5n, measured: -5n },
        { account: B, asset: TOKEN, standard: 'erc20' as const, amount: 5n, measured: 4n },
      ].map((claim) => [claimKey(claim), claim]),
    );
    const found = atOnce(
      balanceChangeWork(netChanges([erc20(A, B, 5n), native(A, B, 1n)]), [A, B], {
        tokens: new Map(),
        prices: new Map(),
        nativeSymbol: 'ETH',
        checked,
      }),
    ).map(({ assets }) => assets.map(({ verified, measured }) => [verified, measured]));
    assert.deepEqual(found, [
      [
        [undefined, undefined],
        [true, undefined],
      ],
      [
        [undefined, undefined],
        [false, { rawAmount: '4', sign: true }],
      ],
    ]);
  });

  it('that no event reported are listed with their ids', () => {
    const claim = { account: A, asset: TOKEN, standard: 'erc721' as const, tokenId: 7n };
    assert.deepEqual(
      unreportedChanges([
        { ...claim, amount: 0n, measured: -1n },
        { ...claim, tokenId: 8n, amount: 1n, measured: 0n },
        { ...claim, tokenId: 9n, amount: 0n, measured: 0n },
      ]),
      [{ account: A, address: TOKEN, tokenId: '7', rawAmount: '1', sign: false }],
    );
  });
});
