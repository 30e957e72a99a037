import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { flowPart } from '../../media/inspector/protocol/analysis-parts';
import type { Flow } from '../../media/inspector/protocol/protocol';
import { fixture, messagesOf, partMessages, sourceOf } from './fixtures';
import { useInspectors } from './inspector-page';

const source = sourceOf(fixture('swap').flow);
const { hash } = fixture('swap').flow.transaction;

describe('inspector: states', () => {
  const inspectors = useInspectors();

  it('posts that it is ready, requests the first parts, and shows their progress', async () => {
    const inspector = await inspectors.open();
    assert.deepEqual(await inspector.sent(), [{ type: 'ready' }]);
    await inspector.post({ type: 'open', source });
    assert.deepEqual((await inspector.sent()).slice(1), [
      { type: 'load', part: 'flow' },
      { type: 'load', part: 'balanceChange' },
    ]);
    const status = inspector.page.getByRole('status');
    assert.equal(await status.innerText(), 'Analyzing 0xab31…31f0 on eth…');
    const progress = { stage: 'replaying transactions', done: 57, total: 1143 };
    await inspector.post({ type: 'progress', part: 'flow', progress });
    assert.equal(
      await status.innerText(),
      'Analyzing 0xab31…31f0 on eth… replaying transactions 57 of 1,143',
    );
    await inspector.page.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual((await inspector.sent()).slice(-2), [
      { type: 'cancel', part: 'flow' },
      { type: 'cancel', part: 'balanceChange' },
    ]);
  });

  it('shows no cancel button before it has a source', async () => {
    const { page } = await inspectors.open();
    await page.getByText('Opening…').waitFor();
    assert.equal(await page.getByRole('button').count(), 0);
  });

  it('does not show a cancellation as an error, and restarts on Retry', async () => {
    const inspector = await inspectors.open();
    const failure = { code: 49900, message: 'cancelled' };
    await inspector.post(
      { type: 'open', source },
      { type: 'failed', part: 'flow', failure },
      { type: 'failed', part: 'balanceChange', failure },
    );
    const { page } = inspector;
    assert.match(
      (await page.getByRole('status').innerText()).replace(/\s+/g, ' '),
      /^Cancelled 0xab31…31f0 on eth Retry$/,
    );
    assert.equal(await page.getByRole('alert').count(), 0);
    await page.getByRole('button', { name: 'Retry' }).click();
    assert.deepEqual((await inspector.sent()).slice(-2), [
      { type: 'load', part: 'flow' },
      { type: 'load', part: 'balanceChange' },
    ]);
  });

  it('shows an error with its code, and requests the part again on Retry', async () => {
    const inspector = await inspectors.open();
    const failure = { code: 40403, message: 'transaction 0xab is not known on eth' };
    await inspector.post({ type: 'open', source }, { type: 'failed', part: 'flow', failure });
    const alert = inspector.page.getByRole('alert');
    assert.match(
      await alert.innerText(),
      /The chain does not know the transaction\.\s+transaction 0xab is not known on eth\s+0xab31…31f0 on eth · code 40403/,
    );
    await alert.getByRole('button', { name: 'Retry' }).click();
    assert.deepEqual((await inspector.sent()).at(-1), { type: 'load', part: 'flow' });
  });

  it('shows the tree while the balances are loading or have failed', async () => {
    const inspector = await inspectors.open();
    await inspector.post(
      { type: 'open', source },
      ...partMessages('flow', flowPart(fixture('swap').flow)),
    );
    await inspector.page.getByRole('tab', { name: 'Balance changes' }).click();
    await inspector.page.getByText('Loading balance changes…').waitFor();
    const failure = { code: 50400, message: 'prices took too long' };
    await inspector.post({ type: 'failed', part: 'balanceChange', failure });
    assert.match(
      await inspector.page.getByRole('alert').innerText(),
      /prices took too long\s+code 50400/,
    );
    await inspector.page.getByRole('tab', { name: /Call tree/ }).click();
    assert.equal((await inspector.rows()).length, 16);
  });

  it('states that no balance changed', async () => {
    const { page } = await inspectors.show('revert');
    await page.getByRole('tab', { name: /Balance/ }).click();
    assert.equal(
      await page.locator('.empty').innerText(),
      'No balance changed. The transaction failed, so its transfers were undone. Fees are not counted.',
    );
  });
});

describe('inspector: header', () => {
  const inspectors = useInspectors();

  it('shows outcome, method, position, proof, parties, value, fee and hash', async () => {
    const { page } = await inspectors.show('swap');
    const header = (await page.locator('.header').innerText()).replace(/\s+/g, ' ');
    for (const part of [
      'Success',
      'swapExactTokensForTokens',
      'on eth·block 19,000,123·position 7·2024-01-13 11:20:35 UTC',
      'Verified',
      'UniswapV2Router02 0x7a25…488d',
      'Value 0 ETH',
      'Fee 0.004213905120331 ETH',
      'Hash 0xab31…31f0',
    ]) {
      assert.ok(header.includes(part), `${part} is not in: ${header}`);
    }
  });

  for (const width of [400, 600, 760, 900, 1200, 1600]) {
    it(`aligns the actions with the hash at ${width} px`, async () => {
      const { page } = await inspectors.show('swap', { width });
      const middle = async (place: string): Promise<number> => {
        const { y, height } = (await page.locator(place).boundingBox())!;
        return Math.round(y + height / 2);
      };
      assert.equal(await middle('.actions'), await middle('.subline-end .fact'));
    });
  }

  it('shortens a long name of a method at 800 px, so that the verdict stays beside it', async () => {
    const swap = structuredClone(fixture('swap'));
    const [top] = Object.values(swap.flow.dataMap);
    const name = 'executeMetaTransactionWithPermitAndCollectFeesForBeneficiary';
    assert.ok(top?.nodeType === 0 && top.invocation.decodedMethod);
    top.invocation.decodedMethod.name = name;
    const inspector = await inspectors.open({ width: 800 });
    await inspector.post(...messagesOf(swap));
    const title = inspector.page.getByRole('heading', { level: 1 });
    const middle = async (place: Locator): Promise<number> => {
      const { y, height } = (await place.boundingBox())!;
      return Math.round(y + height / 2);
    };
    assert.equal(
      await middle(inspector.page.locator('.headline .verification')),
      await middle(title),
    );
    assert.ok(await title.evaluate((element) => element.scrollWidth > element.clientWidth));
    assert.equal(await title.locator('bdi').getAttribute('title'), name);
  });

  it('shows tabs if they fit, otherwise a menu, for every active tab', async () => {
    const { page } = await inspectors.showTab('flash-loan', 'calls', { width: 1000 });
    const [tabs, menu] = [page.getByRole('tablist'), page.getByRole('combobox', { name: 'View' })];
    assert.deepEqual([await tabs.isVisible(), await menu.isVisible()], [true, false]);
    await page.setViewportSize({ width: 600, height: 800 });
    await menu.waitFor();
    assert.equal(await tabs.isVisible(), false);
    await menu.selectOption('gas');
    await page.locator('#panel-gas').waitFor();
    assert.deepEqual([await tabs.isVisible(), await menu.isVisible()], [false, true]);
    await page.setViewportSize({ width: 1000, height: 800 });
    await tabs.waitFor();
    assert.equal(await menu.isVisible(), false);
  });

  it('leaves space for the rows in a low window', async () => {
    const { page } = await inspectors.show('revert', { width: 400, height: 240 });
    const first = page.locator('[role=treeitem]').first();
    assert.equal(await page.evaluate(() => document.querySelector('.panel')!.clientHeight), 154);
    await page.mouse.wheel(0, 1000);
    await page.waitForFunction(() => document.querySelector('.inspector')!.scrollTop > 0);
    assert.ok((await first.boundingBox())!.y < 240 - 22);
  });

  it('explains the verification', async () => {
    const { page } = await inspectors.show('nft');
    const note = page.getByRole('note');
    assert.match(
      (await note.getAttribute('aria-label')) ?? '',
      /^Differs from receipt\. .*do not rely on it\.$/,
    );
  });

  describe('a running proof', () => {
    const { flow, balances } = fixture('swap');
    const guessed: Flow = {
      ...flowPart(flow),
      verification: { level: 'receipt', proof: 'running', method: 'replay', faithful: true },
    };
    const reloads = async (inspector: Awaited<ReturnType<typeof inspectors.open>>) =>
      (await inspector.sent()).flatMap((message) =>
        message.type === 'reload' ? [message.part] : [],
      );
    const show = async () => {
      const inspector = await inspectors.open();
      await inspector.post(
        { type: 'open', source },
        ...partMessages('flow', guessed),
        ...partMessages('balanceChange', balances),
      );
      const running = 'Checked by receipt, proof running';
      await inspector.page.getByText(running, { exact: true }).waitFor();
      return inspector;
    };

    it('ends in a better badge, and reloads the balance changes', async () => {
      const inspector = await show();
      await inspector.post({ type: 'proved', end: { level: 'state-proved' } });
      await inspector.page.getByText('Verified replay', { exact: true }).waitFor();
      assert.deepEqual(await reloads(inspector), ['balanceChange']);
    });

    it('reloads all shown parts if the result contradicts them', async () => {
      const inspector = await show();
      const corrected = 'call 1 had 1 wei';
      await inspector.post({ type: 'proved', end: { level: 'state-proved', corrected } });
      const replaced = /It replaces an answer that was wrong: call 1 had 1 wei\.$/;
      await inspector.page.getByRole('note', { name: replaced }).waitFor();
      assert.deepEqual(await reloads(inspector), ['flow', 'balanceChange', 'sourceLocations']);
    });

    it('reloads if its end may have been missed', async () => {
      const inspector = await inspectors.open();
      await inspector.post({ type: 'open', source }, { type: 'checkProof' });
      assert.deepEqual(await reloads(inspector), []);
      await inspector.post(...partMessages('flow', guessed));
      await inspector.page.getByRole('note').waitFor();
      assert.deepEqual(await reloads(inspector), ['flow', 'balanceChange']);
    });
  });

  it('shows why a transaction failed and links to the frame that threw', async () => {
    const { page } = await inspectors.show('revert', { height: 400 });
    const why = (await page.locator('.why').innerText()).replace(/\s+/g, ' ');
    assert.match(
      why,
      /Why WithdrawalLimitExceeded\(asset: USDC, requested: 2,500,000,000,000, .* thrown by LimitGuardV2\.checkLimit/,
    );
    await page.getByRole('button', { name: 'Collapse to the top calls' }).click();
    await page.getByRole('tab', { name: /Balance/ }).click();
    await page.getByRole('button', { name: 'Show in tree' }).click();
    const selected = page.locator('[role=treeitem][aria-selected=true]');
    assert.match(
      (await selected.locator('.spoken').textContent()) ?? '',
      /^DELEGATECALL LimitGuardV2\.checkLimit/,
    );
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('role')), 'tree');
  });

  it('leaves copying and opening to the host', async () => {
    const inspector = await inspectors.show('swap');
    await inspector.page.getByRole('button', { name: 'Copy transaction hash' }).click();
    await inspector.page.getByRole('button', { name: 'Open in the block explorer' }).click();
    assert.deepEqual((await inspector.sent()).slice(-2), [
      { type: 'copy', text: hash },
      { type: 'openExplorer', page: { kind: 'transaction', id: hash } },
    ]);
  });
});
