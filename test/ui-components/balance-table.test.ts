import assert from 'node:assert/strict';
import { useInspectors } from './inspector-page';

describe('inspector: balance changes', () => {
  const inspectors = useInspectors();

  it('groups by account with signed amounts, ids and USD', async () => {
    const { page } = await inspectors.show('nft');
    await page.getByRole('tab', { name: /Balance/ }).click();
    const rows = await page
      .locator('.balances tbody tr')
      .evaluateAll((all) =>
        all.map((row) => (row as HTMLElement).innerText.replace(/\s+/g, ' ').trim()),
      );
    assert.deepEqual(rows.slice(0, 6), [
      '0x1c4b…558c',
      'ETH −24.5 −$61,862.50',
      'BAYC #8817 NFT +1 –',
      '0x76be…8e77 #3 ERC-1155 +40 –',
      '0x76be…8e77 #941438510640… ERC-1155 +1 –',
      '0x4e15…7870 raw units +77,000,000,000,000,000,000,000 –',
    ]);
  });

  it('aligns amounts on the decimal point', async () => {
    const { page } = await inspectors.show('swap');
    await page.getByRole('tab', { name: /Balance/ }).click();
    const lefts = await page
      .locator('.amount .fraction')
      .evaluateAll((all) => all.map((element) => Math.round(element.getBoundingClientRect().left)));
    assert.equal(new Set(lefts).size, 1);
  });

  it('copies amounts plain', async () => {
    const inspector = await inspectors.show('swap');
    await inspector.page.getByRole('tab', { name: /Balance/ }).click();
    const row = inspector.page.locator('.balances tr', { hasText: 'USDC' }).first();
    await row.hover();
    await row.getByRole('button', { name: 'Copy amount' }).click();
    assert.deepEqual((await inspector.sent()).at(-1), { type: 'copy', text: '-1234.56789' });
  });
});
