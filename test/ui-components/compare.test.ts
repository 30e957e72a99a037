import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type {
  Flow,
  FlowRow,
  FromComparison,
  PartMessage,
  Parts,
  Source,
  ToComparison,
  ToWebview,
} from '../../media/inspector/protocol/protocol';
import { callRow, fixture, flowOf, partMessages, sourceOf } from './fixtures';
import { flowPart } from '../../media/inspector/protocol/analysis-parts';
import type { InspectorPage } from './inspector-page';
import { useInspectors } from './use-inspectors';

const { flow: swap, balances } = fixture('swap');
const original = flowPart(swap);
const source = sourceOf(original);
const other: Source = {
  kind: 'simulation',
  chain: 'eth',
  request: { from: original.transaction.from },
  title: 'swap with less',
};

/** The swap with a different result of one inner call and without another call. */
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
    left: Flow = original,
  ): Promise<InspectorPage> {
    const inspector = await inspectors.open(options);
    const post = (...messages: ToComparison[]): Promise<void> =>
      inspector.post(...(messages as unknown as ToWebview[]));
    await post({ type: 'compare', left: source, right: other });
    await inspector.page.waitForFunction(
      () => window.fakeHost.sent.filter(({ type }) => (type as string) === 'side').length >= 4,
    );
    for (const [side, flow, changes] of [
      ['left', left, balances],
      ['right', right, rightBalances],
    ] as const) {
      const messages = [...partMessages('flow', flow), ...partMessages('balanceChange', changes)];
      await post(...messages.map((message) => ({ type: 'side', side, message }) as ToComparison));
    }
    return inspector;
  }

  const marks = (inspector: InspectorPage): Locator =>
    inspector.page.locator('.grid-row [class*=codicon-diff-]');

  it('opens at the first divergence and moves from one to the next', async () => {
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

  it('shows the analyses in progress with their progress, and cancels both sides', async () => {
    const inspector = await inspectors.open();
    const { page } = inspector;
    const post = (...messages: ToComparison[]): Promise<void> =>
      inspector.post(...(messages as unknown as ToWebview[]));
    await post({ type: 'compare', left: source, right: other });
    await page.getByText('Analyzing both sides…').waitFor();
    const progress = { stage: 'replaying transactions', done: 57, total: 1143 };
    const message: PartMessage = { type: 'progress', part: 'flow', progress };
    await post({ type: 'side', side: 'left', message });
    await page.getByText('replaying transactions 57 of 1,143').waitFor();
    const flow = partMessages('flow', original);
    await post(
      ...flow.map((part) => ({
        type: 'side' as const,
        side: 'left' as const,
        message: part as PartMessage,
      })),
    );
    await page.getByText('Analyzing the other side…').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    const cancelled = (await inspector.sent()).filter(
      (sent) => 'request' in sent && (sent.request as { type: string }).type === 'cancel',
    ) as unknown as FromComparison[];
    assert.deepEqual(
      cancelled.map(({ side, request }) => `${side} ${request.part}`),
      ['left balanceChange', 'right flow', 'right balanceChange'],
    );
    const failure = { code: 49900, message: 'cancelled' };
    await post({ type: 'side', side: 'right', message: { type: 'failed', part: 'flow', failure } });
    await page.getByRole('heading', { name: 'Cancelled' }).waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Analyzing the other side…').waitFor();
  });

  it('shows the name of a fork and groups the numbers of a failure', async () => {
    const flow = flowOf(
      [callRow(0, { status: false, revertMessage: 'TooLittle(received: 19852288)' })],
      { status: false },
    );
    const inspector = await compare(flow);
    const side = inspector.page.locator('.compare-side').nth(1);
    await side.getByText('TooLittle(received: 19,852,288)').waitFor();
    const fork = { name: 'my fork', chain: 'eth', blockNumber: 1, position: null };
    const message: ToComparison = {
      type: 'side',
      side: 'right',
      message: { type: 'hostContext', hostContext: { hasExplorer: false, fork, actions: [] } },
    };
    await inspector.post(message as unknown as ToWebview);
    assert.match(await side.innerText(), /^Right swap with less on my fork eth/);
  });

  it('reports that two equal analyses are equal', async () => {
    const inspector = await compare(original);
    await inspector.page.getByText('No difference').first().waitFor();
    assert.equal(await marks(inspector).count(), 0);
    await inspector.page.getByRole('tab', { name: 'Balance changes' }).click();
    assert.equal(await inspector.page.locator('.grid-row').count(), 6);
  });

  it('shows balance changes side by side', async () => {
    const [first, ...rest] = balances.balanceChange;
    const half = { ...first!, assets: first!.assets.slice(1) };
    const inspector = await compare(original, {}, { status: true, balanceChange: [half, ...rest] });
    const { page } = inspector;
    await page.getByRole('tab', { name: 'Calls' }).press('ArrowRight');
    assert.equal(await page.getByRole('tab', { selected: true }).innerText(), 'Balance changes');
    await page.getByRole('button', { name: 'Show differences only' }).click();
    const row = page.locator('.grid-row');
    assert.equal(await row.count(), 1);
    assert.match(await row.innerText(), /USDC\s+check\s+−1,234\.56789\s+–/);
  });

  /** The visible rows: level, sign and method. */
  const outline = (inspector: InspectorPage): Promise<string[]> =>
    inspector.page.locator('.grid-row').evaluateAll((rows) =>
      rows.map((row) => {
        const open = row.getAttribute('aria-expanded');
        const sign = open === null ? ' ' : open === 'true' ? '-' : '+';
        const method = row.querySelector('.compare-line :is(.method, .event)')?.textContent ?? '';
        return `${row.getAttribute('aria-level') ?? ''}${sign}${method}`;
      }),
    );

  const FOLDED = [
    '1-swapExactTokensForTokens',
    '2 getReserves',
    '2-transferFrom',
    '3+transferFrom',
    '2+swap',
    '2 fallback',
    '2-0x9f3ce55a',
    '3 0x5548…5f62',
  ];

  async function fold(inspector: InspectorPage): Promise<void> {
    const { page } = inspector;
    await page.getByText('1 of 2').waitFor();
    const grid = page.getByRole('treegrid', { name: 'Calls of both sides' });
    await grid.focus();
    for (const key of ['ArrowDown', 'ArrowDown', ' ', 'ArrowDown']) {
      await page.keyboard.press(key);
    }
    await page.keyboard.press('ArrowLeft');
  }

  it('folds and unfolds with keys and mouse like the call tree', async () => {
    const inspector = await compare(changed());
    const { page } = inspector;
    await fold(inspector);
    assert.deepEqual(await outline(inspector), FOLDED);
    const selected = page.locator('.grid-row[aria-selected=true]');
    assert.match(await selected.innerText(), /\.swap\(/);
    await page.keyboard.press('ArrowLeft');
    assert.match(await selected.innerText(), /swapExactTokensForTokens/);
    assert.equal(await selected.getAttribute('aria-posinset'), '1');
    await page.keyboard.press('ArrowLeft');
    assert.deepEqual(await outline(inspector), ['1+swapExactTokensForTokens']);
    assert.equal(await page.getByRole('img', { name: 'differs inside' }).count(), 1);
    await page.keyboard.press('n');
    await page.getByText('1 of 2').waitFor();
    assert.match(await selected.innerText(), /getReserves/);
    assert.deepEqual(await outline(inspector), FOLDED);
    assert.equal(await page.getByRole('img', { name: 'differs inside' }).count(), 0);
    await page.locator('.grid-row .twisty.foldable').nth(3).click();
    assert.match(await selected.innerText(), /\.swap\(/);
    assert.equal(await selected.getAttribute('aria-expanded'), 'true');
    await page.getByRole('button', { name: 'Collapse to the top calls' }).click();
    assert.equal((await outline(inspector)).length, 6);
    await page.getByRole('button', { name: 'Expand all' }).click();
    assert.equal((await outline(inspector)).length, 16);
  });

  it('opens the ancestors of the first divergence', async () => {
    // More calls than are open at first, with the difference at the end of the deepest branch.
    const rows = [
      callRow(0),
      ...Array.from({ length: 100 }, (_, id) => callRow(1 + (id % 5), { id: id + 1 })),
    ];
    const differing = rows.with(-1, callRow(5, { id: 100, output: '0x01' }));
    const inspector = await compare(flowOf(differing), { height: 1600 }, balances, flowOf(rows));
    await inspector.page.getByText('1 of 1').waitFor();
    const levels = (await outline(inspector)).map((line) => line.slice(0, 2));
    assert.deepEqual(levels.slice(-6), ['3+', '2-', '3-', '4-', '5-', '6 ']);
    assert.equal(levels.filter((level) => level === '3+').length, 19);
  });

  it("restores the sources and the user's position after a reload", async () => {
    const inspector = await compare(changed());
    await fold(inspector);
    const before = await inspector.state();
    assert.deepEqual(before, {
      version: 3,
      left: source,
      right: other,
      view: {
        'compare.scroll': 0,
        expansion: { depth: Number.MAX_SAFE_INTEGER, except: [3, 5] },
        onlyDifferences: false,
        selected: 5,
        tab: 'calls',
      },
    });
    const calls = await compare(changed(), { saved: before });
    await calls.page.getByText('2 differences').waitFor();
    assert.deepEqual(await outline(calls), FOLDED);
    const selected = calls.page.locator('.grid-row[aria-selected=true]');
    assert.match(await selected.innerText(), /\.swap\(/);
    await calls.page.getByRole('button', { name: 'Show differences only' }).click();
    await calls.page.getByRole('tab', { name: 'Balance changes' }).click();
    const saved = await calls.state();
    assert.ok(saved);
    const again = await compare(changed(), { saved });
    await again.page.getByText('The balance changes are the same.').waitFor();
    await again.page.getByRole('tab', { name: 'Calls' }).click();
    assert.deepEqual(await outline(again), [
      '1-swapExactTokensForTokens',
      '2 getReserves',
      '2 fallback',
    ]);
    await again.page.getByRole('button', { name: 'Show differences only' }).click();
    assert.deepEqual(await outline(again), FOLDED);
  });

  it('restores the scroll position after a reload', async () => {
    const rows = [callRow(0), ...Array.from({ length: 50 }, (_, id) => callRow(1, { id: id + 1 }))];
    const options = { height: 400 };
    const first = await compare(flowOf(rows), options, balances, flowOf(rows));
    await first.page.getByText('No difference').first().waitFor();
    await first.page.getByRole('treegrid').focus();
    for (let page = 0; page < 4; page++) await first.page.keyboard.press('PageDown');
    await first.page.waitForFunction(
      () => Number(window.fakeHost.state?.view['compare.scroll']) > 0,
    );
    const saved = await first.state();
    assert.ok(saved);
    const second = await compare(flowOf(rows), { ...options, saved }, balances, flowOf(rows));
    await second.page.locator('.grid-row[aria-selected=true]').waitFor();
    const top = await second.page.locator('.grid-scroller').evaluate(({ scrollTop }) => scrollTop);
    assert.equal(top, saved.view['compare.scroll']);
  });

  it('shows a call of the right side if only one column fits', async () => {
    const rows = [...original.rows];
    const inspector = await compare(original, { width: 400 }, balances, flowOf(rows.slice(0, 15)));
    const { page } = inspector;
    await page.getByText('1 of 1').waitFor();
    const selected = page.locator('.grid-row[aria-selected=true]');
    assert.match(await selected.innerText(), /0x5548…5f62/);
    assert.equal(await selected.getByRole('img', { name: 'only on the right' }).count(), 1);
    // Its two tabs fit, so there is no menu.
    assert.equal(await page.getByRole('tab').count(), 2);
    assert.equal(await page.getByRole('combobox').count(), 0);
  });

  for (const theme of ['dark', 'light', 'hc-dark', 'hc-light'] as const) {
    it(`is accessible and does not overflow in ${theme}`, async () => {
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
