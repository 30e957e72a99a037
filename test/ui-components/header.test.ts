import assert from 'node:assert/strict';
import { fixture, messagesOf, targetOf } from './fixtures';
import { useInspectors } from './inspector-page';

const target = targetOf(fixture('swap').flow);

describe('inspector: states', () => {
  const inspectors = useInspectors();

  it('says that it is ready, then what it is waiting for', async () => {
    const inspector = await inspectors.open();
    assert.deepEqual(await inspector.sent(), [{ type: 'ready' }]);
    await inspector.post({ type: 'loading', target });
    assert.equal(
      await inspector.page.getByRole('status').innerText(),
      'Analyzing 0xab31…31f0 on eth…',
    );
  });

  it('shows an error with its code, and asks again on Retry', async () => {
    const inspector = await inspectors.open();
    const failure = { code: 40403, message: 'transaction 0xab is not known on eth' };
    await inspector.post(
      { type: 'loading', target },
      { type: 'flow', outcome: { ok: false, failure }, hasExplorer: false },
    );
    const alert = inspector.page.getByRole('alert');
    assert.match(
      await alert.innerText(),
      /The chain does not know the transaction\.\s+transaction 0xab is not known on eth\s+0xab31…31f0 on eth · code 40403/,
    );
    await alert.getByRole('button', { name: 'Retry' }).click();
    assert.deepEqual((await inspector.sent()).at(-1), { type: 'retry' });
  });

  it('shows the tree while the balances are still on their way, or failed', async () => {
    const inspector = await inspectors.open();
    const [loading, flow] = messagesOf(fixture('swap'));
    await inspector.post(loading!, flow!);
    await inspector.page.getByRole('tab', { name: 'Balance changes' }).click();
    assert.equal(await inspector.page.locator('.panel [aria-busy=true]').count(), 1);
    const failure = { code: 50400, message: 'prices took too long' };
    await inspector.post({ type: 'balances', outcome: { ok: false, failure } });
    assert.match(
      await inspector.page.getByRole('alert').innerText(),
      /prices took too long\s+code 50400/,
    );
    await inspector.page.getByRole('tab', { name: /Call tree/ }).click();
    assert.equal((await inspector.rows()).length, 16);
  });

  it('says so where nothing changed hands', async () => {
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

  it('answers the first questions', async () => {
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
      'Gas 182,310',
      'Hash 0xab31…31f0',
    ]) {
      assert.ok(header.includes(part), `${part} is not in: ${header}`);
    }
  });

  it('explains the verification', async () => {
    const { page } = await inspectors.show('nft');
    const note = page.getByRole('note');
    assert.match(
      (await note.getAttribute('aria-label')) ?? '',
      /^Differs from receipt\. .*do not rely on it\.$/,
    );
  });

  it('says why it failed and leads to the frame that threw', async () => {
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
      (await selected.getAttribute('aria-label')) ?? '',
      /^DELEGATECALL LimitGuardV2\.checkLimit/,
    );
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('role')), 'tree');
  });

  it('leaves copying and opening to the host', async () => {
    const inspector = await inspectors.show('swap');
    await inspector.page.getByRole('button', { name: 'Copy transaction hash' }).click();
    await inspector.page.getByRole('button', { name: 'Open in the block explorer' }).click();
    assert.deepEqual((await inspector.sent()).slice(1), [
      { type: 'copy', text: target.transaction },
      { type: 'openExplorer', page: { kind: 'transaction', id: target.transaction } },
    ]);
  });
});
