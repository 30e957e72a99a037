import assert from 'node:assert/strict';
import { callRow, fixture, flowOf, messagesOf, partMessages, sourceOf } from './fixtures';
import { useInspectors } from './inspector-page';

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
    await page.getByRole('tree').focus();
    await page.keyboard.press('Enter');
    const inTree = await page.locator('body').innerText();
    await page.getByRole('tab', { name: /Balance/ }).click();
    await page.locator('.balances').waitFor();
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

describe('inspector: looks', () => {
  const inspectors = useInspectors();

  for (const theme of ['dark', 'light', 'hc-dark', 'hc-light'] as const) {
    for (const width of [400, 800, 1200, 1600]) {
      it(`fits ${width} px in ${theme}`, async () => {
        const inspector = await inspectors.open({ theme, width });
        for (const name of ['swap', 'revert', 'nft'] as const) {
          await inspector.post(...messagesOf(fixture(name)));
          const { page } = inspector;
          await page.getByRole('tab', { name: /Call tree/ }).click();
          await page.getByRole('tree').focus();
          if (name === 'swap') await page.keyboard.press('Enter');
          for (const tab of [/Call tree/, /Balance/]) {
            await page.getByRole('tab', { name: tab }).click();
            const overflowing = await page.evaluate(() =>
              [
                ...document.querySelectorAll(
                  '.inspector, .header, .tab-bar, .scroller, .tree-scroller, .details-body',
                ),
              ]
                .filter((element) => element.scrollWidth > element.clientWidth)
                .map((element) => element.className),
            );
            assert.deepEqual(overflowing, []);
          }
        }
      });
    }
  }
});
