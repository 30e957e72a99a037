import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Parts } from '../../media/inspector/protocol/protocol';
import { messagesOfParts, sandboxParts } from './fixtures';
import { useInspectors } from './use-inspectors';

/** The text of the rows in view, top to bottom. */
function rowsOf(page: Page): Promise<string[]> {
  return page
    .locator('.grid-row')
    .evaluateAll((all) =>
      all.map((row) => (row as HTMLElement).innerText.replace(/\s+/g, ' ').trim()),
    );
}

describe('inspector: balance changes', () => {
  const inspectors = useInspectors();

  it('groups by account with signed amounts, ids and USD', async () => {
    const inspector = await inspectors.show('nft');
    await inspector.tab('balances');
    assert.deepEqual((await rowsOf(inspector.page)).slice(0, 6), [
      '0x1c4b…558c',
      'ETH not measured −24.5 −$61,862.50',
      'BAYC #8817 NFT not measured +1 –',
      '0x76be…8e77 #3 ERC-1155 not measured +40 –',
      '0x76be…8e77 #941438510640… ERC-1155 not measured +1 –',
      '0x4e15…7870 raw units not measured +77,000,000,000,000,000,000,000 –',
    ]);
  });

  it('aligns amounts on the decimal point', async () => {
    const inspector = await inspectors.show('swap');
    await inspector.tab('balances');
    const lefts = await inspector.page
      .locator('.amount .fraction')
      .evaluateAll((all) => all.map((element) => Math.round(element.getBoundingClientRect().left)));
    assert.ok(lefts.length > 2);
    assert.equal(new Set(lefts).size, 1);
  });

  it('copies plain amounts, a row as one line, and the table as CSV and Markdown', async () => {
    const inspector = await inspectors.showTab('flash-loan', 'balances');
    const { page } = inspector;
    const copied = async (): Promise<string> => {
      const last = (await inspector.sent()).at(-1);
      assert.equal(last?.type, 'copy');
      return last.text;
    };
    await page.locator('.grid-row', { hasText: 'hUSD' }).first().hover();
    await page.getByRole('button', { name: 'Copy amount' }).first().click();
    assert.equal(await copied(), '69.975445');
    await page.getByRole('grid').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('c');
    assert.equal(await copied(), '0x90f79bf6eb2c4f870365e785982e1f101e93b906\thUSD\t69.975445');
    await page.getByRole('button', { name: 'Copy as CSV' }).click();
    const [head, first] = (await copied()).split('\r\n');
    assert.match(head!, /^account,accountName,asset,symbol,/);
    assert.match(first!, /^0x90f79bf6eb2c4f870365e785982e1f101e93b906,carol,0xcf7e\w+,hUSD,,69.97/);
    await page.getByRole('button', { name: 'Copy as Markdown' }).click();
    assert.match(await copied(), /^\| account \| accountName \|/);
  });

  it('shows the largest gain and loss, sorts by value in both directions, and filters', async () => {
    const inspector = await inspectors.showTab('flash-loan', 'balances');
    const { page } = inspector;
    const extremes = await page.locator('.extreme').allInnerTexts();
    assert.deepEqual(
      extremes.map((text) => text.replaceAll(/\s+/g, ' ')),
      ['Biggest gain carol +$69.98', 'Biggest loss HBR/hUSD side pool −$73.00'],
    );
    const accounts = async (): Promise<string[]> =>
      (await page.locator('.grid-row.group .party-name').allInnerTexts()).map((name) =>
        name.trim(),
      );
    await page.getByRole('button', { name: 'USD at block' }).click();
    assert.equal((await accounts())[0], 'carol');
    assert.equal((await accounts()).at(-1), 'HBR/hUSD side pool');
    await page.getByRole('button', { name: 'USD at block' }).click();
    assert.equal((await accounts())[0], 'HBR/hUSD side pool');
    const head = page.getByRole('columnheader', { name: 'USD at block' });
    assert.equal(await head.getAttribute('aria-sort'), 'ascending');
    await page.getByRole('textbox', { name: /Filter/ }).fill('lender');
    assert.deepEqual(await accounts(), ['Flash lender']);
    await page.getByText('1 of 6').waitFor();
    await page.getByRole('textbox', { name: /Filter/ }).fill('nobody');
    await page.getByText('No account and no asset matches the filter.').waitFor();
  });

  it('marks changes that differ from the balance itself', async () => {
    const parts = sandboxParts('flash-loan');
    const [first, ...others] = parts.balanceChange.balanceChange;
    const token = first!.assets[0]!;
    const account = `0x${'9'.repeat(40)}`;
    const changed: Parts['balanceChange'] = {
      ...parts.balanceChange,
      verification: {
        native: 'verified',
        tokens: 'different',
        untold: [{ account, address: token.address, rawAmount: '1500000', sign: false }],
      },
      balanceChange: [
        {
          ...first!,
          assets: [{ ...token, verified: false, measured: { rawAmount: '69000000', sign: true } }],
        },
        ...others,
      ],
    };
    const inspector = await inspectors.open();
    await inspector.post(...messagesOfParts({ flow: parts.flow, balanceChange: changed }));
    await inspector.tab('balances');
    const rows = await rowsOf(inspector.page);
    assert.equal(rows[1], 'hUSD events claim +69.975445 +69 +$69.00');
    assert.deepEqual(rows.slice(-2), ['0x9999…9999', 'hUSD unexplained −1.5 −$1.50']);
    await inspector.tab('overview');
    await inspector.page.locator('header .verdict').click();
    await inspector.page.getByText('Token changes differ from what balanceOf answers').waitFor();
  });
});
