import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { FrameLocator } from 'playwright-core';
import { eventually } from '../support/eventually';
import { sandboxHash } from '../support/sandbox-hashes';
import { callTree } from './support/call-tree';
import { shortHash, useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

/** Waits for a file whose text matches. */
const expectFile = (file: string, text: RegExp): Promise<void> =>
  eventually(() => {
    assert.match(readFileSync(file, 'utf8'), text);
  }, 20_000);

/** The cells of the grid's rows in view. */
async function grid(inspector: FrameLocator): Promise<string[][]> {
  await inspector.locator('.grid-row').first().waitFor();
  return inspector
    .locator('.grid-row')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.children].map((cell) => cell.textContent.trim()).filter((text) => text !== ''),
      ),
    );
}

describe('the inspector', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;

  before(async () => {
    code = window();
    await code.showView();
    await code.row('default').waitFor();
  });

  const analyze = async (name: string): Promise<FrameLocator> => {
    const inspector = await code.analyze(sandboxHash(name), 'sandbox');
    await inspector.locator('.overview').waitFor();
    return inspector;
  };

  it('refuses an invalid transaction hash, and shows the accepted format', async () => {
    await code.command('Forklens: Analyze Transaction…');
    await code.answer('Transaction hash', '0x1234');
    await code.quickInput.locator('.quick-input-message', { hasText: /64 hex digits/ }).waitFor();
    await code.screenshot('analyze-invalid-hash');
    await code.page.keyboard.press('Escape');
    await code.quickInput.waitFor({ state: 'hidden' });
  });

  it('shows the highlights first', async () => {
    const inspector = await analyze('flash-loan');
    await inspector.getByText('Arbitrageur borrowed 2,000 hUSD').waitFor();
    await code.screenshot('inspector-overview');
  });

  it('shows the call tree with decoded calls and events in order', async () => {
    const inspector = await analyze('swap-two-hops');
    const rows = await callTree(inspector);
    assert.match(rows[0]!, /^CALL Router\.swapExactTokensForTokens\(.*gas 112,675$/);
    assert.match(rows[1]!, /^CALL HBR\.transferFrom\(/);
    assert.match(rows[2]!, /^Event .*Transfer\(from: alice, to: HBR\/hUSD pool/);
    await code.screenshot('inspector-call-tree');
  });

  it('shows balance changes', async () => {
    const inspector = code.inspector();
    await inspector.getByRole('tab', { name: /Balance changes/ }).click();
    assert.deepEqual(await grid(inspector), [
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

  it('shows the fund flow, and saves it as a file', async () => {
    const inspector = code.inspector();
    await inspector.getByRole('tab', { name: /Fund flow/ }).click();
    await inspector.getByRole('button', { name: /^alice .*: 1 in, 1 out$/ }).waitFor();
    assert.deepEqual(await inspector.locator('.arrow > text').allTextContents(), [
      '1 · 1,000 HBR',
      '2 · 1,990.031876 hUSD',
      '3 · 0.493567… WETH',
    ]);
    await code.screenshot('inspector-fund-flow');
    await inspector.getByRole('button', { name: 'Save SVG' }).click();
    const file = await code.acceptPath('Save SVG image', 'svg');
    await expectFile(file, /^<svg [^]*1 · 1,000 HBR[^]*<\/svg>\n$/);
  });

  it('saves itself as a page for a browser', async () => {
    await code.chooseAction('Export HTML Page');
    const file = await code.acceptPath('Save HTML', 'html');
    await expectFile(file, /<\/html>\n$/);
    const page = await code.page.context().newPage();
    await page.goto(pathToFileURL(file).href);
    await page.locator('header .where', { hasText: 'swapExactTokensForTokens' }).waitFor();
    await page.locator('body.vscode-dark').waitFor();
    await page.getByRole('tab', { name: /^State/ }).click();
    await page.locator('.grid-row', { hasText: 'balanceOf[alice]' }).first().waitFor();
    await page.screenshot({ path: 'test/output/screenshots/inspector-page.png' });
    await page.close();
  });

  it('shows state changes, events and gas', async () => {
    const inspector = code.inspector();
    await inspector.getByRole('tab', { name: /^State/ }).click();
    const state = await grid(inspector);
    assert.ok(state.some(([what]) => what?.startsWith('balanceOf[alice]')));
    await code.screenshot('inspector-state');
    await inspector.getByRole('tab', { name: /^Events/ }).click();
    assert.equal((await grid(inspector))[0]?.[1], 'HBR');
    await code.screenshot('inspector-events');
    await inspector.getByRole('tab', { name: /^Gas/ }).click();
    const top = inspector.getByRole('treeitem', { name: 'Router.swapExactTokensForTokens' });
    assert.match((await top.getAttribute('aria-label')) ?? '', /, 94,083 gas$/);
    await code.screenshot('inspector-gas');
    await inspector.getByRole('tab', { name: /Balance changes/ }).click();
  });

  it('shows why a transaction failed', async () => {
    const inspector = await analyze('custom-error-three-deep');
    const reason = 'OutOfStock(item: 7, requested: 3, available: 2)';
    await inspector.locator('header', { hasText: reason }).waitFor();
    const rows = await callTree(inspector);
    assert.match(rows[0]!, /^CALL Checkout\.buy\(item: 7, quantity: 3\), failed: /);
    assert.ok(rows.at(-1)!.startsWith('CALL Shelf.take(item: 7, quantity: 3), failed: ' + reason));
    await code.screenshot('inspector-reverted');
  });

  it("is restored after a window reload, at the user's position", async () => {
    await code.reload();
    const inspector = code.inspector();
    await inspector.locator('[role=treeitem]').first().waitFor();
    assert.match((await callTree(inspector))[0]!, /^CALL Checkout\.buy/);
    await code.page.getByRole('tab', { name: shortHash(sandboxHash('swap-two-hops')) }).click();
    await code
      .inspector()
      .getByRole('tab', { name: /Balance changes/, selected: true })
      .waitFor();
    assert.equal((await grid(code.inspector())).length, 9);
  });

  for (const [name, theme, base] of [
    ['light', 'Default Light Modern', 'vs'],
    ['high-contrast', 'Default High Contrast', 'hc-black'],
    ['high-contrast-light', 'Default High Contrast Light', 'hc-light'],
    ['dark', 'Default Dark Modern', 'vs-dark'],
  ] as const) {
    it(`uses the colours of VS Code: ${name}`, async () => {
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
