import assert from 'node:assert/strict';
import type { AssetChange, BalanceChange } from '../../../server/api/explorer';
import { balancesTable } from '../../../server/cli/command-handlers/view-tables';

const VICTIM = `0x${'11'.repeat(20)}`;
const TOKEN = `0x${'22'.repeat(20)}`;

const changed = (more: Partial<AssetChange>): BalanceChange => ({
  status: true,
  balanceChange: [
    {
      account: VICTIM,
      assets: [
        {
          address: TOKEN,
          rawAmount: '5000000',
          amount: '5',
          sign: false,
          value: '',
          isERC1155: false,
          isERC721: false,
          symbol: 'TAX',
          decimals: 6,
          ...more,
        },
      ],
    },
  ],
});

describe('balancesTable', () => {
  it('shows what was measured, and what events claim instead in a column of its own', () => {
    const measured = { rawAmount: '4500000', amount: '4.5', sign: false };
    assert.deepEqual(balancesTable(changed({ verified: false, measured })), {
      columns: ['ACCOUNT', 'ASSET', 'CHANGE', 'USD', 'CLAIMED', 'PROOF'],
      rows: [[VICTIM, 'TAX', '-4.5', '', '-5', 'measured, events differ']],
    });
  });

  it('has no such column where nothing is claimed besides what was measured', () => {
    assert.deepEqual(balancesTable(changed({ verified: true })), {
      columns: ['ACCOUNT', 'ASSET', 'CHANGE', 'USD', 'PROOF'],
      rows: [[VICTIM, 'TAX', '-5', '', 'measured']],
    });
    assert.deepEqual(balancesTable(changed({})).rows, [[VICTIM, 'TAX', '-5', '', 'not measured']]);
  });
});
