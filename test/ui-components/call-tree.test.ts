import assert from 'node:assert/strict';
import {
  callRow,
  eventRow,
  flowOf,
  hugeRows,
  messagesOfParts,
  partMessages,
  sandboxParts,
  sourceOf,
} from './fixtures';
import type { InspectorPage } from './inspector-page';
import { useInspectors } from './use-inspectors';

describe('inspector: call tree', () => {
  const inspectors = useInspectors();

  it('shows calls and events in order, with names, values and gas', async () => {
    const inspector = await inspectors.show('swap');
    const rows = await inspector.rows();
    assert.equal(rows.length, 16);
    assert.equal(
      rows[2],
      'CALL USDC.transferFrom(from: 0x1c4b…558c, to: UniswapV2Pair USDC/WETH, value: 1,234,567,890) → true, gas 31,002',
    );
    assert.equal(
      rows[4],
      'Event USDC.Transfer(from: 0x1c4b…558c, to: UniswapV2Pair USDC/WETH, value: 1,234,567,890)',
    );
    assert.equal(
      rows[14],
      'CALL 0x4e15…7870.0x9f3ce55a(0x0000…0007) → 0x0000…0001, value 0.00000000000000091, gas 9,104',
    );
  });

  it('has a column of values only where a call has one', async () => {
    const { page } = await inspectors.show('swap');
    const heads = page.locator('.tree-head > span');
    assert.deepEqual(await heads.allInnerTexts(), ['Call', 'Value (ETH)', 'Gas']);
    const plain = await inspectors.open();
    const value = flowOf([callRow(0), callRow(1, { value: '0' }), eventRow(1)]);
    await plain.post({ type: 'open', source: sourceOf(value) }, ...partMessages('flow', value));
    await plain.page.getByRole('tab', { name: /Call tree/ }).click();
    await plain.page.locator('[role=treeitem]').first().waitFor();
    assert.equal(await plain.page.locator('.value-cell:visible').count(), 0);
    assert.equal(await plain.page.locator('.tree-head .gas-cell:visible').count(), 1);
  });

  it('marks failed rows with icon and reason, and reverted ones with an icon', async () => {
    const { page } = await inspectors.show('revert');
    const row = (index: number) => page.locator(`[data-index="${index}"]`);
    assert.match(await row(6).locator('.reason').innerText(), /^WithdrawalLimitExceeded/);
    assert.equal(await row(6).locator('.codicon-error').count(), 1);
    assert.equal(await row(0).locator('.reason').innerText(), 'reverted');
    assert.equal(await row(1).getByTitle('Rolled back by a caller').count(), 1);
    assert.match(await row(1).locator('.spoken').innerText(), /, rolled back, /);
  });

  it('supports the keys of an ARIA tree', async () => {
    const inspector = await inspectors.show('swap');
    const { page } = inspector;
    const selected = (): Promise<string | null> =>
      page.locator('[role=treeitem][aria-selected=true]').getAttribute('data-index');
    const press = async (key: string): Promise<string | null> => {
      await page.keyboard.press(key);
      return selected();
    };
    await page.getByRole('tree').focus();
    assert.equal(await press('ArrowDown'), '1');
    assert.equal(await press('End'), '15');
    assert.equal(await press('Home'), '0');
    assert.equal(await press('ArrowLeft'), '0');
    assert.deepEqual(await inspector.rows().then((rows) => rows.length), 1);
    assert.equal(await press('ArrowRight'), '0');
    assert.equal(await press('ArrowRight'), '1');
    await press('ArrowDown');
    await press('ArrowLeft');
    assert.equal(await page.locator('[data-index="2"]').getAttribute('aria-expanded'), 'false');
    await press('*');
    assert.equal(await page.locator('[data-index="2"]').getAttribute('aria-expanded'), 'true');
    assert.equal(await page.getByRole('tree').getAttribute('aria-activedescendant'), 'row-2');
    await press('c');
    const copied = (await inspector.sent()).at(-1);
    assert.ok(copied?.type === 'copy');
    assert.match(
      copied.text,
      /^CALL 0xa0b8\S+\.transferFrom\(from: 0x1c4b[0-9a-f]{36}, .*value: 1234567890\) → true$/,
    );
  });

  it('opens and closes a row with the twisty and a double click', async () => {
    const inspector = await inspectors.show('swap');
    await inspector.page.locator('[data-index="2"] .twisty').click();
    assert.equal((await inspector.rows()).length, 14);
    await inspector.page.locator('[data-index="2"] .line').dblclick();
    assert.equal((await inspector.rows()).length, 16);
  });

  it('shows all fields of the selected row in the details', async () => {
    const inspector = await inspectors.show('swap');
    const { page } = inspector;
    await page.getByRole('tree').focus();
    await page.keyboard.press('Enter');
    const details = page.getByRole('complementary');
    assert.match(
      await details.innerText(),
      /swapExactTokensForTokens\(uint256,uint256,address\[\],address,uint256\)/,
    );
    await page.locator('[data-index="15"]').click();
    assert.match(
      await details.innerText(),
      /Topic 0\s+0x5548c837ab068cf56a2c2479df0882a4922fd203edb7517321831d95078c5f62/,
    );
    await details.getByRole('button', { name: 'Copy row as JSON' }).click();
    const copied = (await inspector.sent()).at(-1);
    assert.ok(copied?.type === 'copy');
    assert.equal((JSON.parse(copied.text) as { id: number }).id, 15);
    await page.getByRole('tree').focus();
    await page.keyboard.press('Escape');
    assert.equal(await details.count(), 0);
  });

  it("has the theme's colours for contracts, methods and parameters, and the text colour in high contrast", async () => {
    for (const theme of ['dark', 'light', 'hc-dark', 'hc-light'] as const) {
      const inspector = await inspectors.open({ theme });
      await inspector.post(...messagesOfParts(sandboxParts('flash-loan')));
      await inspector.tab('calls');
      const colours = await inspector.page.evaluate(() => {
        const line = document.querySelector('[data-index="1"] .line');
        return ['.contract', '.method', '.parameter', '.value'].map((kind) => {
          const piece = line?.querySelector(kind);
          return piece ? getComputedStyle(piece).color : kind;
        });
      });
      assert.equal(
        new Set(colours).size,
        theme.startsWith('hc') ? 1 : 4,
        `${theme}: ${colours.join(' ')}`,
      );
    }
  });

  /** An inspector with the tree of 100,000 rows, expanded. */
  async function showHugeTree(): Promise<InspectorPage> {
    const inspector = await inspectors.open();
    const value = flowOf(hugeRows(100_000, 900));
    await inspector.post({ type: 'open', source: sourceOf(value) }, ...partMessages('flow', value));
    const { page } = inspector;
    await page.getByRole('tab', { name: /Call tree/ }).click();
    await page.getByRole('button', { name: 'Expand all' }).click();
    return inspector;
  }

  it('renders 100,000 rows with a few dozen elements', async () => {
    const inspector = await showHugeTree();
    const { page } = inspector;
    const tree = page.getByRole('tree');
    assert.equal(await tree.evaluate((element) => element.scrollHeight), 2_200_000);
    await tree.focus();
    await page.keyboard.press('End');
    await page.locator('[data-index="99999"]').waitFor();
    assert.ok((await inspector.rows()).length < 80);
    const box = await page.locator('[data-index="99999"]').boundingBox();
    assert.ok(box && box.y + box.height <= 800);
  });

  it('renders twelve rows beyond the view when a jump has come to rest', async () => {
    const { page } = await showHugeTree();
    await page.locator('.tree-scroller').evaluate((view) => (view.scrollTop = 22 * 50_001));
    await page.locator('[data-index="50000"]').waitFor();
    await page.locator('[data-index="49988"]').waitFor({ state: 'attached' });
    assert.equal(await page.locator('[data-index="49987"]').count(), 0);
  });

  it('keeps the row height at 22 pixels and the selected row in view', async () => {
    const inspector = await inspectors.show('swap', { height: 360 });
    const { page } = inspector;
    await page.getByRole('tree').focus();
    await page.keyboard.press('End');
    const [last, head] = [page.locator('[data-index="15"]'), page.locator('.tree-head')];
    const lastBox = (await last.boundingBox())!;
    assert.equal(lastBox.height, 22);
    assert.ok(lastBox.y + 22 <= 360);
    await page.keyboard.press('Home');
    const [firstBox, headBox] = [
      (await page.locator('[data-index="0"]').boundingBox())!,
      (await head.boundingBox())!,
    ];
    assert.equal(firstBox.y, headBox.y + headBox.height);
  });
});
