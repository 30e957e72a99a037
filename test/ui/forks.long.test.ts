import assert from 'node:assert/strict';
import path from 'node:path';
import { call, refusal } from '../support/json-rpc';
import { sandboxHash } from '../support/sandbox-hashes';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

const CAST = path.resolve(__dirname, '../../node_modules/.bin/cast');
const CAROL = `0x${'ca'.repeat(20)}`;
const DAVE = `0x${'da'.repeat(20)}`;

describe('the commands of forks', function () {
  this.timeout(WORKBENCH_MS);
  // Without GPU acceleration, the terminal's text is in the DOM and can be read.
  const window = useCodeWindow({ 'terminal.integrated.gpuAcceleration': 'off' });
  let code: CodeWindow;
  let url: string;

  before(async () => {
    code = window();
    await code.showView();
    await code.row('default').waitFor();
  });

  const fork = () => code.row('before-the-swap');
  const send = (value: string): Promise<string> =>
    call(url, 'eth_sendTransaction', { from: CAROL, to: DAVE, value });

  it('forks right before a transaction given by its hash', async () => {
    await code.row('Create a fork…').click();
    await code.choose('Chain to fork', 'sandbox');
    await code.answer('Block to fork from', sandboxHash('swap-two-hops'));
    await code.quickInput.locator('.monaco-list-row', { hasText: 'Right before' }).waitFor();
    await code.screenshot('create-fork-around-transaction');
    await code.choose(/^Where in block/, 'Right before the transaction');
    await code.answer('Name of the fork', 'before-the-swap');
    await code.quickInput.getByPlaceholder(/^Use a separate chain id/).waitFor();
    await code.screenshot('create-fork-anti-replay');
    await code.choose(/^Use a separate chain id/, 'Off');
    await code.toast(/Fork "before-the-swap" of sandbox is ready/).waitFor();
    await fork().waitFor();
    await code.dismissToasts();
    url = await code.copyRpcUrl('before-the-swap');
  });

  it('funds an account', async () => {
    await code.contextMenu(fork(), 'Fund Account…');
    await code.choose('Asset of the account', 'the native asset');
    await code.answer('Account to fund', 'carol');
    await code.quickInput.filter({ hasText: 'An address is 0x and 40 hex digits.' }).waitFor();
    await code.answer('An address is 0x', CAROL);
    await code.answer(/New balance in ETH/, '2.5');
    await code.toast(/0xcaca…caca has its ETH on "before-the-swap"/).waitFor();
    assert.equal(await call(url, 'eth_getBalance', CAROL, 'latest'), '0x22b1c8c1227a0000');
    await code.dismissToasts();
  });

  it('shows new transactions and figures without a refresh', async () => {
    await fork().click();
    await code.row('No transactions yet').waitFor();
    await send('0x2386f26fc10000');
    await code.row('native transfer').waitFor();
    await code.row(/default.*1 today · 1 this month/).waitFor();
    await code.row(/before-the-swap.*running · 1 tx/).waitFor();
    await code.screenshot('tree-live');
  });

  it('creates a snapshot, and restores it', async () => {
    await code.contextMenu(fork(), 'Create Snapshot…');
    await code.answer('Name of the snapshot', 'funded');
    await code.row(/Snapshots\s*2/).click();
    await code.row('funded').waitFor();
    await send('0x1');
    await code.row(/running · 2 tx/).waitFor();
    await code.screenshot('tree-snapshots');
    await code.contextMenu(code.row('funded'), 'Restore Snapshot…');
    await code.dialog
      .filter({ hasText: 'Revert "before-the-swap" to snapshot "funded"?' })
      .waitFor();
    await code.screenshot('restore-snapshot-dialog');
    await code.dialog.getByRole('button', { name: 'Restore' }).click();
    await code.row(/running · 1 tx/).waitFor();
    await code.contextMenu(code.row('funded'), 'Delete Snapshot…');
    await code.dialog.getByRole('button', { name: 'Delete' }).click();
    await code.row(/Snapshots\s*1/).waitFor();
  });

  it('sets the time, and mines', async () => {
    const head = async () =>
      call<{ number: string; timestamp: string }>(url, 'eth_getBlockByNumber', 'latest', false);
    const before = await head();
    await code.contextMenu(fork(), 'Set Time…');
    await code.answer('Time of the next block', '2020-01-01');
    await code.quickInput.filter({ hasText: 'that of the newest block' }).waitFor();
    await code.screenshot('set-time-in-the-past');
    await code.answer('that of the newest block', '+7 d');
    await code.toast(/UTC on "before-the-swap": a block of that time was mined/).waitFor();
    const after = await head();
    assert.ok(Number(after.timestamp) - Number(before.timestamp) >= 604_800);
    await code.dismissToasts();
    await code.contextMenu(fork(), 'Mine Blocks…');
    await code.answer('How many empty blocks', '3');
    await code.toast('3 blocks mined on "before-the-swap".').waitFor();
    assert.equal(Number((await head()).number), Number(after.number) + 3);
    await code.dismissToasts();
  });

  it('copies its address in the formats of other tools', async () => {
    await code.contextMenu(fork(), 'Copy Fork As…');
    await code.quickInput.locator('.monaco-list-row', { hasText: 'MetaMask fields' }).waitFor();
    await code.screenshot('copy-fork-as');
    await code.choose('What to paste it into', '.env');
    await code.page
      .locator('.statusbar-item', { hasText: 'Copied before-the-swap as .env' })
      .waitFor();
    assert.equal(await code.clipboard(), `ETH_RPC_URL="${url}"\n`);
  });

  it("offers a forwarded address that the user's browser can reach", async () => {
    const copied = async (as: string): Promise<string> => {
      await code.contextMenu(fork(), 'Copy Fork As…');
      await code.choose('What to paste it into', as);
      await code.page.locator('.statusbar-item', { hasText: `before-the-swap as ${as}` }).waitFor();
      return code.clipboard();
    };
    const forwarded = await copied('RPC URL on your computer');
    assert.equal(new URL(forwarded).origin, code.workbench.server.url);
    const height = await call(url, 'eth_blockNumber');
    assert.equal(await call(forwarded, 'eth_blockNumber'), height);
    assert.ok((await copied('MetaMask fields')).includes(`\nRPC URL: ${forwarded}\n`));
  });

  it('opens a terminal whose tools use the fork', async () => {
    await code.contextMenu(fork(), 'Open Terminal');
    const rows = code.page.locator('.xterm-rows');
    await rows.filter({ hasText: /\S/ }).waitFor();
    await code.page.keyboard.type(`clear; ${CAST} balance ${DAVE}\n`);
    await rows.filter({ hasText: '10000000000000000' }).waitFor();
    await code.screenshot('fork-terminal');
    await code.command('Terminal: Kill the Active Terminal Instance');
  });

  it('sends a request, and shows the response as a document', async () => {
    await code.contextMenu(fork(), 'Send Request…');
    await code.quickInput.getByPlaceholder('Method').fill('eth_getBalance');
    await code.screenshot('send-request-methods');
    await code.choose('Method', 'eth_getBalance');
    await code.answer('Parameters, as a JSON array', '[');
    await code.quickInput.filter({ hasText: 'This is not JSON' }).waitFor();
    await code.answer('This is not JSON', `["${DAVE}", "latest"]`);
    const editor = code.page.locator('.editor-instance .view-lines');
    await editor.filter({ hasText: '"result"' }).waitFor();
    await code.screenshot('send-request-answer');
    assert.match(await editor.innerText(), /0x2386f26fc10000/);
  });

  it('simulates a transaction with changes, and compares it with the original', async () => {
    await code.contextMenu(code.row('native transfer'), 'Simulate With Changes…');
    await code.choose('Change fields, then choose', /^Value/);
    await code.answer('Value in wei', '2,000,000,000,000,000,000');
    await code.quickInput
      .locator('.monaco-list-row', { hasText: 'was 10000000000000000' })
      .waitFor();
    await code.screenshot('simulate-with-changes');
    await code.choose('Change fields, then choose', 'Simulate');
    await code.page.locator('.tab', { hasText: 'with changes' }).waitFor();
    await code.inspector().getByRole('toolbar', { name: 'Differences' }).waitFor();
    await code.screenshot('simulate-with-changes-result');
  });

  it('forks right before a transaction of a fork', async () => {
    await code.contextMenu(code.row('native transfer'), 'Fork Before Transaction…');
    await code.answer('all that was done on "before-the-swap" before the transaction', 'again');
    await code.toast(/Fork "again" of sandbox is ready/).waitFor();
    await code.row(/again\s?sandbox @ 8:0 · running/).waitFor();
    await code.dismissToasts();
  });

  it('renews the address of a fork: the old one stops working', async () => {
    await code.contextMenu(fork(), 'Renew RPC URL…');
    await code.dialog
      .filter({ hasText: 'Give fork "before-the-swap" another RPC URL?' })
      .getByRole('button', { name: 'Cancel' })
      .click();
    assert.equal(await call(url, 'net_version'), '31337');
    await code.contextMenu(fork(), 'Renew RPC URL…');
    await code.dialog.getByRole('button', { name: 'Renew' }).click();
    const copied = 'Copied the new RPC URL of before-the-swap';
    await code.page.locator('.statusbar-item', { hasText: copied }).waitFor();
    const renewed = await code.clipboard();
    assert.notEqual(renewed, url);
    const { code: refused } = await refusal(url, 'net_version');
    assert.equal(refused, -32001);
    assert.equal(await call(renewed, 'net_version'), '31337');
    url = await code.copyRpcUrl('before-the-swap');
    assert.equal(url, renewed);
  });

  it('writes a Foundry test of a transaction', async () => {
    await code.contextMenu(code.row('native transfer'), 'Create Foundry Test…');
    const editor = code.page.locator('.editor-instance .view-lines');
    await editor.filter({ hasText: 'interface Vm' }).waitFor();
    await code.screenshot('foundry-test');
  });

  for (const [theme, base] of [
    ['Default Light Modern', 'vs'],
    ['Default High Contrast', 'hc-black'],
  ] as const) {
    it(`looks right in ${theme}`, async () => {
      await code.setTheme(theme, base);
      await fork().click({ button: 'right' });
      await code.page.locator('.monaco-menu .action-item', { hasText: 'Fund Account…' }).waitFor();
      await code.screenshot(`forks-${base}`);
      await code.page.keyboard.press('Escape');
    });
  }
});
