import assert from 'node:assert/strict';
import { partyRows } from '../../../media/inspector/model/party-rows';
import type { PartyChange } from '../../../server/api/summary-parties';
import { assetNames } from '../../../server/presentation/quantity-segments';
import { namesOf } from '../../../server/presentation/segment';

const ALICE = `0x${'a'.repeat(40)}`;
const GOLD = `0x${'1'.repeat(40)}`;
const called = assetNames(namesOf({}), 'ETH', 32);
const change: PartyChange = {
  asset: GOLD,
  standard: 'erc20',
  rawAmount: '1250',
  amount: '12.50',
  sign: false,
  symbol: 'GOLD',
  decimals: 2,
};

describe('media: rows of the parties', () => {
  it('have the changes as the tables show them, and the roles in words', () => {
    const [party] = partyRows(
      [
        {
          account: ALICE,
          roles: ['sender', 'largestLoss'],
          changes: [{ ...change, value: '25' }],
          moreChanges: 2,
        },
      ],
      called,
    );
    assert.equal(party?.account, ALICE);
    assert.equal(party.roles, 'sender, largest loss');
    assert.equal(party.more, 2);
    const [row] = party.rows;
    const { symbol, plain, value, direction, integer, fraction, raw, evidence } = row!;
    assert.deepEqual(
      { symbol, plain, value, direction, integer, fraction, raw, evidence },
      {
        symbol: 'GOLD',
        plain: '-12.50',
        value: '25',
        direction: 'out',
        integer: '12',
        fraction: '50',
        raw: false,
        evidence: 'measured',
      },
    );
  });

  it('say what a change rests on', () => {
    const claimed = (rawAmount: string) => ({ rawAmount, amount: rawAmount, sign: true });
    const [party] = partyRows(
      [
        {
          account: ALICE,
          roles: [],
          changes: [
            { ...change, claimed: claimed('7') },
            { ...change, claimed: claimed('0') },
            { ...change, isClaimed: true },
          ],
        },
      ],
      called,
    );
    assert.deepEqual(
      party?.rows.map((row) => [row.evidence, row.claimed]),
      [
        ['contradicted', '7'],
        ['unreported', undefined],
        ['claimed', undefined],
      ],
    );
  });

  it('are in the smallest unit where the decimals are unknown, and name tokens with ids', () => {
    const plain = { asset: GOLD, rawAmount: '3', amount: '', sign: true } as const;
    const [party] = partyRows(
      [
        {
          account: ALICE,
          roles: ['sender'],
          changes: [
            { ...plain, standard: 'erc20' },
            { ...plain, standard: 'erc721', rawAmount: '1', tokenId: '7' },
          ],
        },
      ],
      called,
    );
    assert.deepEqual(
      party?.rows.map(({ raw, plain: text, value, asset }) => [
        raw,
        text,
        value,
        asset.isERC721,
        asset.tokenId,
      ]),
      [
        [true, '3', '', false, undefined],
        [false, '1', '', true, '7'],
      ],
    );
  });
});
