import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { sandboxHash } from '../support/sandbox-hashes';
import { useCodeWindow, type CodeWindow } from './support/code-window';

/** Accessible names of the call tree's rows in view, from top to bottom. */
function callTree(inspector: FrameLocator): Promise<string[]> {
  return inspector
    .locator('[role=treeitem]')
    .evaluateAll((rows) =>
      rows
        .sort((a, b) => Number(a.dataset['index']) - Number(b.dataset['index']))
        .map((row) => row.getAttribute('aria-label') ?? ''),
    );
}

/** The balance table, row by row, as its cells. */
async function balances(inspector: FrameLocator): Promise<string[][]> {
  await inspector.locator('table.balances').waitFor();
  return inspector
    .locator('table.balances tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => cell.textContent.trim())),
    );
}

describe('the inspector', () => {
  const window = useCodeWindow();
  let code: CodeWindow;

  before(async () => {
    code = window();
    await code.showView();
    await code.row('default').waitFor();
  });

  const analyze = async (name: string): Promise<FrameLocator> => {
    await code.command('Forklens: Analyze Transaction…');
    await code.answer('Transaction hash', sandboxHash(name));
    await code.choose('Chain or fork of the transaction', 'sandbox');
    const inspector = code.inspector();
    await inspector.locator('[role=treeitem]').first().waitFor();
    return inspector;
  };

  it('refuses what is no transaction hash, and says what is one', async () => {
    await code.command('Forklens: Analyze Transaction…');
    await code.answer('Transaction hash', '0x1234');
    await code.quickInput.locator('.quick-input-message', { hasText: /64 hex digits/ }).waitFor();
    await code.screenshot('analyze-invalid-hash');
    await code.page.keyboard.press('Escape');
    await code.quickInput.waitFor({ state: 'hidden' });
  });

  it('shows who called whom, with decoded calls and events in their place', async () => {
    const inspector = await analyze('swap-two-hops');
    const rows = await callTree(inspector);
    assert.match(rows[0]!, /^CALL Router\.swapExactTokensForTokens\(.*gas 112,675$/);
    assert.match(rows[1]!, /^CALL HBR\.transferFrom\(/);
    assert.match(rows[2]!, /^Event .*Transfer\(from: alice, to: HBR\/hUSD pool/);
    await code.screenshot('inspector-call-tree');
  });

  it('shows who gained and who lost', async () => {
    const inspector = code.inspector();
    await inspector.getByRole('tab', { name: /Balance changes/ }).click();
    assert.deepEqual(await balances(inspector), [
      ['alice0x7099…79c8', '+$23.75'],
      ['HBR', '−1,000', '−$2,000.00'],
      ['WETH', '+0.493567275176201372', '+$2,023.75'],
      ['HBR/hUSD pool0x6101…d788', '+$9.97'],
      ['HBR', '+1,000', '+$2,000.00'],
      ['hUSD', '−1,990.031876', '−$1,990.03'],
      ['hUSD/WETH pool0xb7f8…4f5e', '−$33.72'],
      ['hUSD', '+1,990.031876', '+$1,990.03'],
      ['WETH', '−0.493567275176201372', '−$2,023.75'],
    ]);
    await code.screenshot('inspector-balances');
  });

  it('says why a transaction failed', async () => {
    const inspector = await analyze('custom-error-three-deep');
    const reason = 'OutOfStock(item: 7, requested: 3, available: 2)';
    await inspector.locator('header', { hasText: reason }).waitFor();
    const rows = await callTree(inspector);
    assert.match(rows[0]!, /^CALL Checkout\.buy\(item: 7, quantity: 3\), failed: /);
    assert.ok(rows.at(-1)!.startsWith('CALL Shelf.take(item: 7, quantity: 3), failed: ' + reason));
    await code.screenshot('inspector-reverted');
  });

  it('is restored after a reload of the window, where the reader was', async () => {
    await code.reload();
    const inspector = code.inspector();
    await inspector.locator('[role=treeitem]').first().waitFor();
    assert.match((await callTree(inspector))[0]!, /^CALL Checkout\.buy/);
    const swap = sandboxHash('swap-two-hops');
    await code.page.getByRole('tab', { name: `${swap.slice(0, 6)}…${swap.slice(-4)}` }).click();
    await code
      .inspector()
      .getByRole('tab', { name: /Balance changes/, selected: true })
      .waitFor();
    assert.equal((await balances(code.inspector())).length, 9);
  });

  for (const [name, theme, base] of [
    ['light', 'Default Light Modern', 'vs'],
    ['high-contrast', 'Default High Contrast', 'hc-black'],
    ['high-contrast-light', 'Default High Contrast Light', 'hc-light'],
    ['dark', 'Default Dark Modern', 'vs-dark'],
  ] as const) {
    it(`takes its colours from VS Code: ${name}`, async () => {
      await code.setTheme(theme, base);
      const inspector = code.inspector();
      const body = inspector.locator(`body.vscode-${name}`);
      await body.waitFor();
      const [shown, expected] = await body.evaluate((element) => {
        const variable = getComputedStyle(element).getPropertyValue('--vscode-editor-foreground');
        const probe = element.appendChild(document.createElement('i'));
        probe.style.color = variable;
        const colors = [getComputedStyle(element).color, getComputedStyle(probe).color];
        probe.remove();
        return colors;
      });
      assert.equal(shown, expected);
      await code.screenshot(`inspector-balances-${name}`);
      await inspector.getByRole('tab', { name: /Call tree/ }).click();
      await inspector.locator('[role=treeitem]').first().waitFor();
      await code.screenshot(`inspector-call-tree-${name}`);
      await inspector.getByRole('tab', { name: /Balance changes/ }).click();
    });
  }
});
