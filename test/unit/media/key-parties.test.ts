import assert from 'node:assert/strict';
import { keyParties } from '../../../media/inspector/model/key-parties';
import type { AssetChange } from '../../../server/api/explorer';
import { assetNames } from '../../../server/presentation/quantity-segments';
import { namesOf } from '../../../server/presentation/segment';
import { sandboxParts, type SandboxFixture } from '../../ui-components/fixtures';

const called = assetNames(namesOf({}), 'ETH', 32);
const account = (digit: string): string => `0x${digit.repeat(40)}`;
const [ALICE, ROUTER, POOL, THIEF] = ['a', 'b', 'c', 'd'].map(account) as [
  string,
  string,
  string,
  string,
];
const GOLD = account('1');
const WOOD = account('2');

/** A change of a token with 0 decimals. @param usd empty without a price */
function change(address: string, amount: number, usd = ''): AssetChange {
  const raw = String(Math.abs(amount));
  return {
    address,
    rawAmount: raw,
    amount: raw,
    sign: amount >= 0,
    value: usd,
    isERC721: false,
    isERC1155: false,
    symbol: address === GOLD ? 'GOLD' : 'WOOD',
    decimals: 0,
    verified: true,
  };
}

type Changes = readonly (readonly [string, readonly AssetChange[]])[];

/** `account: tags (number of changes)` */
function shown(changes: Changes, to: string | null = ROUTER): string[] {
  const balanceChange = changes.map(([of, assets]) => ({ account: of, assets: [...assets] }));
  return keyParties({ balanceChange }, { from: ALICE, to }, called).map(
    ({ account: who, tags, rows, more }) =>
      `${who[2] ?? ''}: ${tags.join(' ')} (${rows.length}${more > 0 ? ` of ${rows.length + more}` : ''})`,
  );
}

describe('media: the parties that matter', () => {
  const ofSandbox = (name: SandboxFixture): string[] => {
    const { flow, balanceChange } = sandboxParts(name);
    return keyParties(balanceChange, flow.transaction, called).map(
      ({ account: who, tags }) => `${flow.labels[who] ?? who}: ${tags.join(' ')}`,
    );
  };

  it('are the sender and who gained and lost, in transactions of the sandbox', () => {
    assert.deepEqual(ofSandbox('flash-loan'), [
      'carol: sender mostGained',
      'HBR/hUSD side pool: lostByValue',
    ]);
    assert.deepEqual(ofSandbox('exploit-reentrancy'), [
      'mallory: sender gained',
      'Ether vault: lost',
    ]);
  });

  it('leave an exchange without a gain: a difference of valuation is none', () => {
    assert.deepEqual(ofSandbox('swap-two-hops'), ['alice: sender']);
  });

  it('are none where no balance changed', () => {
    assert.deepEqual(ofSandbox('failed-mint'), []);
  });

  it('name a sender without changes, since another one gained', () => {
    assert.deepEqual(
      shown([
        [POOL, [change(GOLD, -9)]],
        [THIEF, [change(GOLD, 9)]],
      ]),
      ['a: sender (0)', 'd: gained (1)', 'c: lost (1)'],
    );
  });

  it('are compared without prices in one asset, and not in several', () => {
    const gains = (second: string): Changes => [
      [ALICE, [change(GOLD, -12)]],
      [POOL, [change(GOLD, 5)]],
      [THIEF, [change(second, 7)]],
    ];
    assert.deepEqual(shown(gains(GOLD)), ['a: sender lost (1)', 'd: mostGained (1)']);
    assert.deepEqual(shown(gains(WOOD)), ['a: sender lost (1)', 'c: gained (1)']);
  });

  it('include the receiver of the call, and who gave next to nothing for much', () => {
    assert.deepEqual(
      shown([
        [ALICE, [change(GOLD, 100, '100'), change(WOOD, -1, '1')]],
        [ROUTER, [change(WOOD, 1, '1')]],
        [POOL, [change(GOLD, -100, '100')]],
      ]),
      ['a: sender mostGained (2)', 'b: receiver (1)', 'c: lost (1)'],
    );
  });

  it('leave out nobody, to whom burnt tokens go, and changes beyond three', () => {
    const nobody = account('0');
    const many = ['1', '2', '3', '4', '5'].map((digit) => change(account(digit), -1));
    assert.deepEqual(
      shown(
        [
          [ALICE, many],
          [nobody, [change(GOLD, 1)]],
        ],
        null,
      ),
      ['a: sender lost (3 of 5)'],
    );
  });
});
