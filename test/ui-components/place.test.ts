import assert from 'node:assert/strict';
import type { SavedState } from '../../media/inspector/protocol/protocol';
import { fixture, messagesOfParts, sandboxParts, sourceOf } from './fixtures';
import { useInspectors } from './use-inspectors';

declare global {
  var scrolled: Promise<unknown>;
}

const source = sourceOf(fixture('swap').flow);

describe('inspector: saved position', () => {
  const inspectors = useInspectors();

  it('saves and restores tab, expansion, selection, scroll position and details', async () => {
    const first = await inspectors.show('swap', { height: 360 });
    await first.page.locator('[data-index="2"] .twisty').click();
    await first.page.getByRole('tree').focus();
    await first.page.evaluate(() => {
      const scroller = document.querySelector('.tree-scroller');
      window.scrolled = new Promise((done) => {
        scroller?.addEventListener('scrollend', done, { once: true });
      });
    });
    await first.page.keyboard.press('End');
    await first.page.evaluate(() => window.scrolled.then(() => undefined));
    const saved = await first.state();
    assert.ok(saved);
    const { tab, expansion, selected, details, scroll } = saved.view;
    assert.deepEqual(saved.source, source);
    assert.deepEqual(
      { tab, expansion, selected, details },
      {
        tab: 'calls',
        expansion: { depth: Number.MAX_SAFE_INTEGER, except: [2] },
        selected: 15,
        details: false,
      },
    );
    assert.ok(Number(scroll) > 0);
    const second = await inspectors.show('swap', { height: 360, saved });
    assert.equal(await second.page.locator('[data-index="3"]').count(), 0);
    assert.equal(
      await second.page.locator('.tree-scroller').evaluate((element) => element.scrollTop),
      scroll,
    );
    assert.deepEqual(await second.state(), saved);
  });

  it('saves and restores tab, order, filter and focus of the other views', async () => {
    const first = await inspectors.showTab('flash-loan', 'fundFlow');
    const carol = first.page.getByRole('button', { name: /^carol/ });
    await carol.click();
    await first.tab('gas');
    await first.page.getByRole('textbox', { name: /Highlight/ }).fill('swap');
    await first.tab('balances');
    await first.page.getByRole('button', { name: 'Account and asset' }).click();
    const saved = await first.state();
    assert.ok(saved);
    const second = await inspectors.showTab('flash-loan', 'fundFlow', { saved });
    const again = second.page.getByRole('button', { name: /^carol/ });
    assert.equal(await again.getAttribute('aria-pressed'), 'true');
    await second.tab('gas');
    const highlight = second.page.getByRole('textbox', { name: /Highlight/ });
    assert.equal(await highlight.inputValue(), 'swap');
    await second.tab('balances');
    const head = second.page.getByRole('columnheader', { name: 'Account and asset' });
    assert.equal(await head.getAttribute('aria-sort'), 'ascending');
  });

  it('ignores a state of another version', async () => {
    const first = await inspectors.showTab('flash-loan', 'gas');
    const saved = await first.state();
    const old = { ...saved!, version: 1 } as unknown as SavedState;
    const second = await inspectors.open({ saved: old });
    await second.post(...messagesOfParts(sandboxParts('flash-loan')));
    const overview = second.page.getByRole('tab', { name: 'Overview' });
    assert.equal(await overview.getAttribute('aria-selected'), 'true');
  });

  it('moves between tabs with the arrow keys', async () => {
    const { page } = await inspectors.show('swap');
    await page.getByRole('tab', { name: /Call tree/ }).focus();
    await page.keyboard.press('ArrowRight');
    const tab = page.getByRole('tab', { name: /Balance/ });
    assert.equal(await tab.getAttribute('aria-selected'), 'true');
    assert.equal(await tab.evaluate((element) => element === document.activeElement), true);
    assert.equal(await page.getByRole('tabpanel', { name: /Balance/ }).count(), 1);
  });
});
