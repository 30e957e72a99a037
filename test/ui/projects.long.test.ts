import assert from 'node:assert/strict';
import { call } from '../support/json-rpc';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

const CAROL = `0x${'ca'.repeat(20)}`;
const DAVE = `0x${'da'.repeat(20)}`;

describe('projects and forks in the side bar', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;
  let rpcUrl: string;

  before(async () => {
    code = window();
    await code.showView();
  });

  it('shows the default project and the account without any input', async () => {
    await code.row('default').waitFor();
    await code.row('local').waitFor();
    assert.deepEqual(await code.rows(), ['default', 'Create a fork…', 'localthis machine']);
    await code.screenshot('tree-empty');
  });

  it('creates a project', async () => {
    await code.command('Forklens: Create Project…');
    await code.answer(/name of the project/i, 'audit');
    await code.row('audit').waitFor();
  });

  it('creates a fork step by step, with a check of each step', async () => {
    await code.row('Create a fork…').click();
    await code.quickInput.locator('.monaco-list-row', { hasText: 'sandbox' }).waitFor();
    await code.screenshot('create-fork-chain');
    await code.choose('Chain to fork', 'sandbox');
    await code.answer('Block to fork from', '12abc');
    await code.quickInput
      .locator('.quick-input-message', { hasText: /Enter safe, a block/ })
      .waitFor();
    await code.screenshot('create-fork-invalid-height');
    await code.answer(/Enter safe, a block/, '8');
    await code.choose(/^Where in block 8 .*7 transactions/, '1: right before');
    await code.quickInput.filter({ hasText: 'Name of the fork' }).waitFor();
    await code.screenshot('create-fork-name');
    await code.answer('Name of the fork', 'after-the-swap');
    await code.choose(/^Use a separate chain id/, 'Off');
    await code.toast(/Fork "after-the-swap" of sandbox is ready at block 8, position 1/).waitFor();
    await code.row(/after-the-swap\s?sandbox @ 8:1 · running/).waitFor();
    await code.screenshot('create-fork-done');
    await code.dismissToasts();
  });

  it('shows what is wrong with a fork point, and asks again', async () => {
    const message = (text: string) =>
      code.quickInput.locator('.quick-input-message', { hasText: text }).waitFor();
    await code.contextMenu(code.row('audit'), 'Create Fork…');
    await code.choose('Chain to fork', 'sandbox');
    await code.answer('Block to fork from', '999,999');
    await message('Block 999999; accepted: up to 18, the head of sandbox.');
    await code.screenshot('create-fork-refused');
    await code.answer('Block 999999', '8');
    await code.choose(/^Where in block 8/, 'Enter a position…', 'Enter a position');
    await code.answer('How many transactions of block 8', '999');
    await message('Enter 0 to 7: how many transactions of the block are applied.');
    await code.page.keyboard.press('Escape');
    await code.quickInput.waitFor({ state: 'hidden' });
  });

  it('forks at the newest block up to a time', async () => {
    await code.contextMenu(code.row('default'), 'Create Fork…');
    await code.choose('Chain to fork', 'sandbox');
    await code.answer('Block to fork from', '2025-01-01 00:01:40');
    await code.choose(
      'Where in block 8 (2025-01-01 00:01:36 UTC, 7 transactions)',
      'After the whole block',
    );
    await code.answer('Name of the fork', 'new-year');
    await code.choose(/^Use a separate chain id/, 'Off');
    await code.toast('Fork "new-year" of sandbox is ready at block 8.').waitFor();
    await code.dismissToasts();
    const url = await code.copyRpcUrl('new-year');
    const block = await call<{ number: string; timestamp: string }>(
      url,
      'eth_getBlockByNumber',
      'latest',
      false,
    );
    assert.deepEqual([block.number, Number(block.timestamp)], ['0x8', 1_735_689_696]);
  });

  it('copies the RPC URL of a fork, which answers', async () => {
    rpcUrl = await code.copyRpcUrl('after-the-swap');
    assert.match(rpcUrl, /^http:\/\/127\.0\.0\.1:\d+\/rpc\/[0-9a-f]{32}$/);
    assert.equal(await call(rpcUrl, 'eth_blockNumber'), '0x8');
  });

  it('shows the transactions of a fork, and opens one with a click', async () => {
    await call(rpcUrl, 'anvil_setBalance', CAROL, '0xde0b6b3a7640000');
    const transaction = { from: CAROL, to: DAVE, value: '0x2386f26fc10000' };
    await call(rpcUrl, 'eth_sendTransaction', transaction);
    const fork = code.row('after-the-swap');
    if ((await fork.getAttribute('aria-expanded')) === 'false') await fork.click();
    await code.row('native transfer').waitFor();
    await code.row('native transfer').click();
    const inspector = code.inspector();
    await inspector.getByRole('tab', { name: /Call tree/ }).click();
    await inspector.locator('[role=treeitem]').first().waitFor();
    await code.screenshot('tree-with-transactions');
    const spoken = inspector.locator('[role=treeitem] .spoken').first();
    assert.match((await spoken.textContent())!, /^CALL .*value 0\.01, gas 21,000$/);
  });

  it('finds a fork in the view', async () => {
    await code.command('Forklens: Find In Projects');
    const find = code.page.locator('.sidebar .monaco-tree-type-filter input');
    await find.fill('after-the');
    await code.row('after-the-swap').locator('.monaco-highlighted-label .highlight').waitFor();
    await code.screenshot('tree-find');
    await find.press('Escape');
    await find.waitFor({ state: 'hidden' });
  });

  it('deletes a fork only after confirmation', async () => {
    await code.contextMenu(code.row('after-the-swap'), 'Delete Fork…');
    await code.dialog.filter({ hasText: 'Delete fork "after-the-swap"?' }).waitFor();
    await code.screenshot('delete-fork-dialog');
    await code.dialog.getByRole('button', { name: 'Cancel' }).click();
    await code.dialog.waitFor({ state: 'detached' });
    await code.row('after-the-swap').waitFor();
    await code.contextMenu(code.row('after-the-swap'), 'Delete Fork…');
    await code.dialog.getByRole('button', { name: 'Delete' }).click();
    await code.row('after-the-swap').waitFor({ state: 'detached' });
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(rpcUrl, { method: 'POST', headers, body: '{}' });
    assert.equal(response.status, 404);
  });
});
