import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type {
  Flow,
  FlowRow,
  Parts,
  Source,
  ToComparison,
  ToWebview,
} from '../../media/inspector/protocol';
import { fixture, flowOf, partMessages, sourceOf } from './fixtures';
import { flowPart } from '../../extension/inspector/parts';
import { useInspectors, type InspectorPage } from './inspector-page';

const { flow: swap, balances } = fixture('swap');
const original = flowPart(swap);
const source = sourceOf(original);
const other: Source = {
  kind: 'simulation',
  chain: 'eth',
  request: { from: original.transaction.from },
  title: 'swap with less',
};

/** The swap, of which one inner call returned something else, and another one is missing. */
function changed(): Flow {
  const rows = original.rows.flatMap((row, index): FlowRow[] => {
    if (index === 13) return [];
    if (index !== 1 || row.nodeType !== 0) return [row];
    return [{ ...row, invocation: { ...row.invocation, output: '0x01', gasUsed: 7 } }];
  });
  return flowOf(rows);
}

describe('inspector: comparison', () => {
  const inspectors = useInspectors();

  async function compare(
    right: Flow,
    options: Parameters<typeof inspectors.open>[0] = {},
    rightBalances: Parts['balanceChange'] = balances,
  ): Promise<InspectorPage> {
    const inspector = await inspectors.open(options);
    const post = (...messages: ToComparison[]): Promise<void> =>
      inspector.post(...(messages as unknown as ToWebview[]));
    await post({ type: 'compare', left: source, right: other });
    await inspector.page.waitForFunction(
      () => window.fakeHost.sent.filter(({ type }) => (type as string) === 'side').length >= 4,
    );
    for (const [side, flow, changes] of [
      ['left', original, balances],
      ['right', right, rightBalances],
    ] as const) {
      const messages = [...partMessages('flow', flow), ...partMessages('balanceChange', changes)];
      await post(...messages.map((message) => ({ type: 'side', side, message }) as ToComparison));
    }
    return inspector;
  }

  const marks = (inspector: InspectorPage): Locator =>
    inspector.page.locator('.grid-row [class*=codicon-diff-]');

  it('opens at the first divergence, and leads from one to the next', async () => {
    const inspector = await compare(changed());
    const { page } = inspector;
    const selected = page.locator('.grid-row[aria-selected=true]');
    await page.getByText('1 of 2').waitFor();
    assert.match(await selected.innerText(), /getReserves\(\)/);
    assert.equal(await marks(inspector).count(), 2);
    const details = page.getByRole('complementary');
    assert.match(await details.innerText(), /^Differs: another result, other gas/);
    await page.getByRole('button', { name: 'Next difference (N)' }).click();
    await page.getByText('2 of 2').waitFor();
    assert.equal(await selected.getByRole('img', { name: 'only on the left' }).count(), 1);
    await page.keyboard.press('n');
    await page.getByText('1 of 2').waitFor();
    await page.getByRole('button', { name: 'Show differences only' }).click();
    assert.equal(await page.locator('.grid-row').count(), 3);
  });

  it('says that two equal analyses are equal', async () => {
    const inspector = await compare(original);
    await inspector.page.getByText('No difference').first().waitFor();
    assert.equal(await marks(inspector).count(), 0);
    await inspector.page.getByRole('tab', { name: 'Balance changes' }).click();
    assert.equal(await inspector.page.locator('.grid-row').count(), 6);
  });

  it('puts balance changes side by side', async () => {
    const [first, ...rest] = balances.balanceChange;
    const half = { ...first!, assets: first!.assets.slice(1) };
    const inspector = await compare(original, {}, { status: true, balanceChange: [half, ...rest] });
    const { page } = inspector;
    await page.getByRole('tab', { name: 'Balance changes' }).click();
    await page.getByRole('button', { name: 'Show differences only' }).click();
    const row = page.locator('.grid-row');
    assert.equal(await row.count(), 1);
    assert.match(await row.innerText(), /USDC\s+−1,234\.56789\s+–/);
  });

  it('keeps what is compared over a reload', async () => {
    const inspector = await compare(original);
    const saved = await inspector.state();
    assert.deepEqual(saved, { version: 2, left: source, right: other });
    const again = await compare(changed(), { saved });
    await again.page.getByText('1 of 2').waitFor();
  });

  for (const theme of ['dark', 'light', 'hc-dark', 'hc-light'] as const) {
    it(`is accessible and fits in ${theme}`, async () => {
      for (const width of [400, 1600]) {
        const inspector = await compare(changed(), { theme, width });
        const { page } = inspector;
        await page.getByText('1 of 2').waitFor();
        assert.deepEqual(await inspector.accessibilityFaults(), []);
        assert.equal(
          await page.evaluate(() => document.body.scrollWidth > document.body.clientWidth),
          false,
        );
        await page.screenshot({
          path: `test/output/screenshots/compare-${theme}-${width}.png`,
        });
      }
    });
  }
});
