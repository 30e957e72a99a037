import assert from 'node:assert/strict';
import type { DecodedMethod } from '../../server/api/decoding';
import type { Flow } from '../../media/inspector/protocol/protocol';
import { callRow, flowOf, hugeRows, partMessages, sourceOf, SURROUNDINGS } from './fixtures';
import type { InspectorPage } from './inspector-page';
import { useInspectors } from './use-inspectors';

describe('inspector: search and filters of the call tree', () => {
  const inspectors = useInspectors();

  async function openTree(name: 'swap' | 'revert'): Promise<InspectorPage> {
    const inspector = await inspectors.show(name);
    await inspector.tab('calls');
    await inspector.page.getByRole('tree').focus();
    return inspector;
  }
  async function openFlow(value: Flow): Promise<InspectorPage> {
    const inspector = await inspectors.open();
    await inspector.post(
      { type: 'open', source: sourceOf(value) },
      SURROUNDINGS,
      ...partMessages('flow', value),
    );
    await inspector.tab('calls');
    return inspector;
  }
  const selected = (inspector: InspectorPage): Promise<string | null> =>
    inspector.page.locator('[role=treeitem][aria-selected=true]').getAttribute('data-index');
  const note = (inspector: InspectorPage, text: string): Promise<void> =>
    inspector.page.locator('.search-note', { hasText: text }).waitFor();

  it('counts matches, highlights them, and moves between them with Enter and F3', async () => {
    const inspector = await openTree('swap');
    const { page } = inspector;
    await page.keyboard.press('/');
    await page.keyboard.type('event:transfer');
    await note(inspector, '2 found');
    await page.keyboard.press('Enter');
    await note(inspector, '1 of 2');
    assert.equal(await selected(inspector), '4');
    await page.keyboard.press('F3');
    await note(inspector, '2 of 2');
    assert.equal(await selected(inspector), '7');
    await page.keyboard.press('Shift+Enter');
    await note(inspector, '1 of 2');
    assert.equal(await page.locator('.row.match').count(), 2);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.search').count(), 0);
    assert.equal(await page.locator('.row.match').count(), 0);
    assert.equal(
      await page.getByRole('tree').evaluate((tree) => tree === document.activeElement),
      true,
    );
  });

  it('shows only matches with their ancestors, then all rows again', async () => {
    const inspector = await openTree('swap');
    const { page } = inspector;
    await page.keyboard.press('/');
    await page.keyboard.type('event:swap');
    await page.getByRole('button', { name: 'Show matches only' }).click();
    await page.locator('[data-index="2"]').waitFor({ state: 'detached' });
    const rows = await inspector.rows();
    assert.equal(rows.length, 3);
    assert.match(rows[2]!, /^Event UniswapV2Pair USDC\/WETH\.Swap\(.*, match$/);
    await page.getByRole('textbox', { name: 'Search calls and events' }).fill('nowhere');
    await page.getByText('No row matches the search.').waitFor();
    await page.getByRole('button', { name: 'Close the search (Escape)' }).click();
    await page.locator('[data-index="2"]').waitFor();
    assert.equal((await inspector.rows()).length, 16);
  });

  it('shows the invalid term and the accepted syntax in full, without moving anything', async () => {
    const inspector = await inspectors.show('swap', { width: 400 });
    const { page } = inspector;
    await page.getByRole('tree').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('usdc');
    const places = async (): Promise<unknown[]> => [
      await page.locator('[role=treeitem]').first().boundingBox(),
      await page.getByRole('button', { name: /^Next match/ }).boundingBox(),
    ];
    const before = await places();
    await page.keyboard.type(' type:jump');
    await note(inspector, 'type:jump: takes one of call, staticcall');
    assert.deepEqual(await places(), before);
    const shown = await page
      .locator('.search-note')
      .evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
        scrollWidth <= clientWidth,
        scrollHeight <= clientHeight,
      ]);
    assert.deepEqual(shown, [true, true]);
    assert.deepEqual(await inspector.accessibilityFaults(), []);
  });

  it('finds one row in 100,000, opens its ancestors, and saves the search', async () => {
    const value = flowOf(hugeRows(100_000, 900));
    const inspector = await openFlow(value);
    const { page } = inspector;
    await page.keyboard.press('/');
    await page.keyboard.type('fn:0x0001869f');
    await note(inspector, '1 found');
    await page.keyboard.press('Enter');
    await page.locator('[data-index="99999"].selected').waitFor();
    const view = (await inspector.state())?.view;
    assert.equal(view?.['search'], 'fn:0x0001869f');
    assert.equal(view['selected'], 99_999);
    assert.ok((await page.locator('.sticky-rows .row').count()) <= 5);
  });

  it('hides kinds of rows, and shows rows undecoded or without arguments', async () => {
    const inspector = await openTree('swap');
    const { page } = inspector;
    const toggle = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'What is shown' }).click();
      await page.getByRole('menuitemcheckbox', { name }).click();
    };
    await toggle('Events');
    assert.equal((await inspector.rows()).length, 11);
    await toggle('Delegate Calls');
    assert.equal((await inspector.rows()).length, 9);
    await toggle('Static Calls');
    assert.equal((await inspector.rows()).length, 5);
    await toggle('Arguments and Results');
    assert.match(
      (await inspector.rows())[0]!,
      /^CALL UniswapV2Router02\.swapExactTokensForTokens\(…\), gas/,
    );
    await toggle('Decoded, by Names');
    assert.match((await inspector.rows())[0]!, /^CALL UniswapV2Router02\.0x38ed1739\(…\), gas/);
  });

  it('goes to the failure, and copies a row as a command', async () => {
    const inspector = await openTree('revert');
    const { page } = inspector;
    await page.keyboard.press('e');
    assert.equal(await selected(inspector), '6');
    await page.keyboard.press('e');
    assert.equal(await selected(inspector), '3');
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Copy as cast call' }).click();
    const copied = (await inspector.sent()).at(-1);
    assert.ok(copied?.type === 'copy');
    assert.match(
      copied.text,
      /^cast call 0x[0-9a-f]{40} --data 0x[0-9a-f]+ --from 0x[0-9a-f]{40} --block 23 --rpc-url "\$ETH_RPC_URL"$/,
    );
  });

  it('decodes a call with another signature that fits, and shows the source of the decoding', async () => {
    const decodedMethod: DecodedMethod = {
      name: 'pay',
      signature: 'pay(uint256)',
      returnParams: [],
      constructorArguments: '',
      callParams: [{ name: '', type: 'uint256', value: '7' }],
      source: '4byte',
      alternatives: [{ signature: 'enable(bool,address)', source: '4byte' }],
    };
    const callData = `0x${'1'.padStart(64, '0')}${'ab'.repeat(20).padStart(64, '0')}`;
    const value = flowOf([callRow(0, { decodedMethod, methodDecoded: true, callData })]);
    const inspector = await openFlow(value);
    const { page } = inspector;
    assert.match((await inspector.rows())[0]!, /\.pay\?\(7\)/);
    await page.getByRole('tree').focus();
    await page.keyboard.press('d');
    const details = page.getByRole('complementary');
    assert.match(await details.innerText(), /Known by\s+a guess by a signature database/);
    await details
      .getByRole('combobox', { name: 'Signature to read the call by' })
      .selectOption('enable(bool,address)');
    await page.getByText('enable').first().waitFor();
    await page.waitForFunction(() =>
      document
        .querySelector('[role=treeitem] .spoken')
        ?.textContent.includes('.enable(true, 0xabab…abab)'),
    );
  });

  it('unfolds the calls inside a value', async () => {
    const { decodedMethod } = {
      decodedMethod: {
        name: 'multicall',
        signature: 'multicall(bytes[])',
        returnParams: [],
        constructorArguments: '',
        callParams: [
          {
            name: 'calls',
            type: 'bytes[]',
            value: '["0x01"]',
            nested: [
              {
                path: '[0]',
                to: '',
                value: '1.5',
                name: 'burn',
                signature: 'burn(uint256)',
                callParams: [{ name: 'wad', type: 'uint256', value: '1234' }],
              },
            ],
          },
        ],
      },
    };
    const inspector = await openFlow(flowOf([callRow(0, { decodedMethod, methodDecoded: true })]));
    const { page } = inspector;
    await page.getByRole('tree').focus();
    await page.keyboard.press('d');
    assert.equal(await page.locator('.nested summary').innerText(), '[0] burn {1.5 ETH}');
    const value = page.locator('.fields > div, .fields').filter({ hasText: 'Value' }).first();
    assert.match((await value.innerText()).replace(/\s+/g, ' '), /Value 0 ETH/);
    await page.locator('.nested summary').click();
    await page.locator('.nested').getByText('1,234').waitFor();
  });

  it('lists its keys', async () => {
    const inspector = await openTree('swap');
    await inspector.page.keyboard.press('?');
    const dialog = inspector.page.getByRole('dialog', { name: 'Keys of the call tree' });
    await dialog.getByText('Shift+F10').waitFor();
    await inspector.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  for (const theme of ['dark', 'light', 'hc-dark', 'hc-light'] as const) {
    it(`is accessible in ${theme}`, async () => {
      const inspector = await inspectors.show('revert', { theme });
      const { page } = inspector;
      await inspector.tab('calls');
      await page.getByRole('tree').focus();
      await page.keyboard.press('/');
      await page.keyboard.type('usdc');
      await note(inspector, 'of');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('d');
      assert.deepEqual(await inspector.accessibilityFaults('.panel'), []);
      await page.screenshot({ path: `test/output/screenshots/search-${theme}.png` });
      await page.getByRole('button', { name: 'What is shown' }).click();
      assert.deepEqual(await inspector.accessibilityFaults('.panel'), []);
      await page.screenshot({ path: `test/output/screenshots/menu-${theme}.png` });
    });
  }

  it('handles 1,024 levels, a megabyte of call data, and hostile labels', async () => {
    const hostile = '<img src=x onerror="document.title=1">\u202eEVIL\u0000';
    const rows = Array.from({ length: 1025 }, (_, depth) =>
      callRow(depth, {
        id: depth,
        ...(depth === 1024 && { callData: `0x${'ab'.repeat(1_000_000)}` }),
      }),
    );
    const labels = { [`0x${'b'.repeat(40)}`]: hostile };
    const inspector = await openFlow(flowOf(rows, { labels }));
    const { page } = inspector;
    await page.getByRole('button', { name: 'Expand all' }).click();
    await page.keyboard.press('End');
    await page.locator('[data-index="1024"].selected').waitFor();
    await page.keyboard.press('d');
    await page.getByRole('complementary').getByText('more characters').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('abababababab');
    await note(inspector, '1 of 1');
    const text = await page.locator('body').innerText();
    assert.equal(text.includes('\u202e') || text.includes('\u0000'), false);
    assert.ok(text.length < 20_000);
    assert.equal(await page.locator('img').count(), 0);
  });
});
