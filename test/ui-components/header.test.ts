import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { flowPart } from '../../media/inspector/protocol/analysis-parts';
import type { Flow } from '../../media/inspector/protocol/protocol';
import { fixture, messagesOfParts, partMessages, sandboxParts, sourceOf } from './fixtures';
import { useInspectors } from './use-inspectors';

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

  it('shows outcome, method, position, proof, parties, fee and hash', async () => {
    const { page } = await inspectors.show('swap');
    const header = (await page.locator('.header').innerText()).replace(/\s+/g, ' ');
    for (const part of [
      'Success',
      'swapExactTokensForTokens',
      'on eth·block 19,000,123·position 7·2024-01-13 11:20:35 UTC',
      'Matches chain',
      'UniswapV2Router02 0x7a25…488d',
      'Fee 0.004213905120331 ETH',
      'Hash 0xab31…31f0',
    ]) {
      assert.ok(header.includes(part), `${part} is not in: ${header}`);
    }
  });

  for (const width of [600, 760, 900, 1200, 1600]) {
    it(`aligns the actions with the hash at ${width} px`, async () => {
      const { page } = await inspectors.show('swap', { width });
      const middle = async (place: string): Promise<number> => {
        const { y, height } = (await page.locator(place).boundingBox())!;
        return Math.round(y + height / 2);
      };
      assert.equal(await middle('.actions'), await middle('.subline-end .fact'));
    });
  }

  it('leads with the sentence, and keeps the badge beside its first line at 800 px', async () => {
    const parts = sandboxParts('flash-loan');
    const [first] = parts.flow.summary!.clauses;
    parts.flow.summary!.clauses = Array.from({ length: 5 }, () => first!);
    const inspector = await inspectors.open({ width: 800 });
    await inspector.post(...messagesOfParts(parts));
    const title = inspector.page.getByRole('heading', { level: 1 });
    assert.equal(
      await title.innerText(),
      'carol gained 69.975445 hUSD by a flash loan and two swaps, gained 69.975445 hUSD by a flash loan and two swaps, gained 69.975445 hUSD by a flash loan and two swaps and 2 more.',
    );
    const top = async (place: Locator): Promise<number> => (await place.boundingBox())!.y;
    assert.equal(await top(inspector.page.locator('.verdict')), await top(title));
    assert.equal(await inspector.page.locator('.story li', { hasText: 'gained' }).count(), 5);
  });

  it('debugs a failed transaction from its failure first', async () => {
    const { page } = await inspectors.showTab('failed-mint', 'overview');
    const actions = page.getByRole('toolbar', { name: 'Actions' });
    assert.deepEqual(await actions.locator('.action').allInnerTexts(), [
      'Debug From the Failure',
      'Fork Before',
    ]);
  });

  it('copies the card as Markdown, as a link and as an image', async () => {
    const inspector = await inspectors.open();
    const { page } = inspector;
    const { flow, ...rest } = sandboxParts('exploit-reentrancy');
    await inspector.post(...messagesOfParts({ flow, ...rest }), {
      type: 'hostContext',
      hostContext: { hasExplorer: false, actions: [], link: 'vscode://x/analyze?tx=1' },
    });
    const copy = async (title: string): Promise<void> => {
      await page.getByRole('button', { name: 'Copy this card' }).click();
      await page.getByRole('menuitem', { name: title }).click();
    };
    await copy('Copy as Markdown');
    await copy('Copy Link');
    const [markdown, link] = (await inspector.sent()).flatMap((message) =>
      message.type === 'copy' ? [message.text] : [],
    );
    assert.equal(link, 'vscode://x/analyze?tx=1');
    const lines = markdown!.split('\n').filter((line) => line !== '');
    assert.match(lines[0]!, /^\*\*Success:\*\* mallory gained 10 ETH by reentrancy\.$/);
    assert.match(
      lines[3]!,
      /^\| `0x15d34[0-9a-f]+` \| mallory \| sender, largest gain \| 10 \| ETH \| 41002\.5 \| measured \|$/,
    );
    assert.match(
      lines[4]!,
      /^\| `0xc3e53[0-9a-f]+` \| Ether vault \| largest loss \| -10 \| ETH \| -41002\.5 \| measured \|$/,
    );
    assert.equal(lines.at(-1), '<vscode://x/analyze?tx=1>');
    await copy('Copy as Image');
    await page.waitForFunction(() =>
      window.fakeHost.sent.some(({ type }) => type === 'copied' || type === 'save'),
    );
    const sent = (await inspector.sent()).at(-1);
    if (sent?.type === 'save') {
      assert.match(sent.name, /\.png$/);
      assert.equal(Buffer.from(sent.content, 'base64').toString('latin1', 1, 4), 'PNG');
    }
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

  it('opens the proof from the badge', async () => {
    const { page } = await inspectors.show('nft');
    const badge = page.getByRole('button', { name: /^Differs\. .*do not rely on it\.$/ });
    await badge.click();
    const proof = page.locator('#overview-proof');
    assert.match(await proof.locator('li').first().innerText(), /do not rely on it\.$/);
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'SUMMARY');
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
      const running = 'Receipt only, proof running';
      await inspector.page.locator('.verdict', { hasText: running }).waitFor();
      return inspector;
    };

    it('ends in a better badge, and reloads the balance changes', async () => {
      const inspector = await show();
      await inspector.post({ type: 'proved', end: { level: 'state-proved' } });
      await inspector.page.locator('.verdict', { hasText: 'Matches chain' }).waitFor();
      assert.deepEqual(await reloads(inspector), ['balanceChange']);
    });

    it('reloads all shown parts if the result contradicts them', async () => {
      const inspector = await show();
      const corrected = 'call 1 had 1 wei';
      await inspector.post({ type: 'proved', end: { level: 'state-proved', corrected } });
      const replaced = /It replaces an answer that was wrong: call 1 had 1 wei\.$/;
      await inspector.page.getByRole('button', { name: replaced }).waitFor();
      assert.deepEqual(await reloads(inspector), ['flow', 'balanceChange', 'sourceLocations']);
    });

    it('reloads if its end may have been missed', async () => {
      const inspector = await inspectors.open();
      await inspector.post({ type: 'open', source }, { type: 'checkProof' });
      assert.deepEqual(await reloads(inspector), []);
      await inspector.post(...partMessages('flow', guessed));
      await inspector.page.locator('.verdict').waitFor();
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
