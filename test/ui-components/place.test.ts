import assert from 'node:assert/strict';
import type { SavedState } from '../../media/inspector/protocol';
import { fixture, sourceOf } from './fixtures';
import { useInspectors } from './inspector-page';

declare global {
  var scrolled: Promise<unknown>;
}

const source = sourceOf(fixture('swap').flow);

describe('inspector: place', () => {
  const inspectors = useInspectors();

  it('keeps tab, expansion, selection, scroll and details, and takes them up again', async () => {
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
    const scroll = saved?.view['scroll'] as number;
    assert.ok(scroll > 0);
    assert.deepEqual(saved, {
      version: 2,
      source,
      view: {
        tab: 'calls',
        expansion: { depth: Number.MAX_SAFE_INTEGER, except: [2] },
        selected: 15,
        details: false,
        scroll,
      },
    } satisfies SavedState);
    const second = await inspectors.show('swap', { height: 360, saved });
    assert.equal(await second.page.locator('[data-index="3"]').count(), 0);
    assert.equal(
      await second.page.locator('.tree-scroller').evaluate((element) => element.scrollTop),
      scroll,
    );
    assert.deepEqual(await second.state(), saved);
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
