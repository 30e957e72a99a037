import assert from 'node:assert/strict';
import { balanceGroups, widestFraction } from '../../../media/inspector/model/balance-model';
import { cents } from '../../../server/presentation/usd';
import { NATIVE_ASSET } from '../../../server/api/native-asset';
import { namesOf } from '../../../server/presentation/segment';
import { assetNames } from '../../../server/presentation/quantity-segments';
import { fixture } from '../../ui-components/fixtures';

const called = assetNames(namesOf({}), 'ETH', 32);

describe('media: balances', () => {
  it('rounds USD to cents, and distinguishes a missing price from a price of zero', () => {
    assert.equal(cents('1234.3210'), 123432n);
    assert.equal(cents('0.005'), 1n);
    assert.equal(cents('7'), 700n);
    assert.equal(cents('0.0049999'), 0n);
    assert.equal(cents(''), undefined);
  });

  it('groups by account, adds signs, splits at the decimal point and sums', () => {
    const groups = balanceGroups(fixture('swap').balances, called);
    assert.equal(groups.length, 3);
    assert.equal(groups[0]?.total, -377n);
    assert.deepEqual(
      groups[0].rows.map(({ symbol, plain, integer, fraction }) => [
        symbol,
        plain,
        integer,
        fraction,
      ]),
      [
        ['USDC', '-1234.56789', '1234', '56789'],
        ['WETH', '0.512340987654321098', '0', '512340987654321098'],
        ['ETH', '-0.00000000000000091', '0', '00000000000000091'],
      ],
    );
    assert.equal(widestFraction(groups), 18);
  });

  it('has no total if a price is missing, and raw amounts without decimals', () => {
    const [account] = balanceGroups(fixture('nft').balances, called);
    assert.equal(account?.total, undefined);
    assert.deepEqual(
      account?.rows.map(({ raw, integer }) => [raw, integer]),
      [
        [false, '24'],
        [false, '1'],
        [false, '40'],
        [false, '1'],
        [true, '77000000000000000000000'],
      ],
    );
  });

  it('names assets by symbol, the native asset by the chain’s symbol, others by their contracts', () => {
    const asset = {
      rawAmount: '1',
      amount: '1',
      sign: true,
      value: '',
      isERC1155: false,
      isERC721: false,
    };
    const assets = [
      { ...asset, address: NATIVE_ASSET },
      { ...asset, address: `0x${'1'.repeat(40)}` },
      { ...asset, address: `0x${'2'.repeat(40)}`, symbol: '\u202eHTE' },
      { ...asset, address: `0x${'3'.repeat(40)}` },
    ];
    const names = namesOf({ [`0x${'3'.repeat(40)}`]: 'Cargo' });
    const [group] = balanceGroups(
      { status: true, balanceChange: [{ account: '0x', assets }] },
      assetNames(names, '\u202ePOL', 32),
    );
    assert.deepEqual(
      group?.rows.map(({ symbol }) => symbol),
      ['\\u{202e}POL', '0x1111…1111', '\\u{202e}HTE', 'Cargo'],
    );
  });
});
