import assert from 'node:assert/strict';
import path from 'node:path';
import type { TabId } from '../../media/inspector/protocol';
import {
  callRow,
  fixture,
  flowOf,
  messagesOfParts,
  partMessages,
  sandboxParts,
  sourceOf,
} from './fixtures';
import { useInspectors, type InspectorPage } from './inspector-page';

const source = sourceOf(fixture('swap').flow);

describe('inspector: strangers’ text', () => {
  const inspectors = useInspectors();

  const hostile = '<img src=x onerror="document.title=1">\u202eEVIL\u0000';

  it('is text, inert and folded, wherever it stands', async () => {
    const inspector = await inspectors.open();
    const long = hostile + 'x'.repeat(1_000_000);
    const address = `0x${'b'.repeat(40)}`;
    const rows = [callRow(0, { status: false, revertMessage: long, address })];
    const value = flowOf(rows, { status: false, labels: { [address]: long } });
    value.transaction = { ...value.transaction, to: address, nativeSymbol: long, chain: long };
    const assets = [
      {
        address,
        rawAmount: '1',
        amount: '1',
        sign: true,
        value: '',
        isERC1155: false,
        isERC721: false,
        symbol: long,
      },
    ];
    await inspector.post(
      { type: 'open', source: { ...source, chain: long } },
      ...partMessages('flow', value),
      ...partMessages('balanceChange', {
        status: true,
        balanceChange: [{ account: address, assets }],
      }),
    );
    const { page } = inspector;
    await inspector.tab('calls');
    await page.getByRole('tree').focus();
    await page.keyboard.press('Enter');
    const inTree = await page.locator('body').innerText();
    await inspector.tab('balances');
    const inBalances = await page.locator('.panel').innerText();
    for (const text of [inTree, inBalances]) {
      assert.ok(text.includes('<img src=x onerror='), text.slice(0, 400));
      assert.equal(text.includes('\u202e') || text.includes('\u0000'), false);
      assert.ok(text.length < 10_000);
    }
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.title(), 'Transaction inspector');
  });
});

const TABS: readonly TabId[] = ['overview', 'balances', 'fundFlow', 'events', 'state', 'gas'];
const SCREENSHOTS = path.resolve(__dirname, '../output/screenshots/inspector');

describe('inspector: looks', () => {
  const inspectors = useInspectors();

  /** What is wider than it may be, and what an accessibility checker objects to. */
  async function faults(inspector: InspectorPage): Promise<string[]> {
    const { page } = inspector;
    const overflowing = await page.evaluate(() =>
      [
        ...document.querySelectorAll(
          '.inspector, .header, .tab-bar, .tab-tools, .scroller, .grid-scroller, .tree-scroller, .details-body',
        ),
      ]
        .filter((element) => element.scrollWidth > element.clientWidth)
        .map((element) => `${element.className} is too wide`),
    );
    return [...overflowing, ...(await inspector.accessibilityFaults())];
  }

  for (const theme of ['dark', 'light', 'hc-dark', 'hc-light'] as const) {
    for (const width of [400, 800, 1600]) {
      it(`has no fault at ${width} px in ${theme}`, async () => {
        const inspector = await inspectors.open({ theme, width });
        const { page } = inspector;
        for (const name of ['flash-loan', 'caught-revert'] as const) {
          await inspector.post(...messagesOfParts(sandboxParts(name)));
          for (const tab of TABS) {
            await inspector.tab(tab);
            const file = `${name}-${tab}-${theme}-${width}.png`;
            await page.screenshot({ path: path.join(SCREENSHOTS, file), animations: 'disabled' });
            assert.deepEqual(await faults(inspector), [], `${name}: ${tab}`);
          }
        }
      });
    }
  }

  it('has no fault while it loads, and where it failed', async () => {
    const inspector = await inspectors.open({ width: 400 });
    await inspector.post({ type: 'open', source });
    assert.deepEqual(await faults(inspector), []);
    const failure = { code: 50201, message: `the node at this height ${'lacks '.repeat(80)}` };
    await inspector.post({ type: 'failed', part: 'flow', failure });
    assert.deepEqual(await faults(inspector), []);
  });
});
