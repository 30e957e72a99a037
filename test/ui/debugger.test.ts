import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { writeHardhatBuild } from '../support/hardhat-build';
import { sandboxHash } from '../support/sandbox-hashes';
import { shortHash, useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';
import { DebugView } from './support/debug-view';

const EXPLOIT = sandboxHash('exploit-reentrancy');
const VAULT_FILE = path.join(__dirname, '../../server/chains/sandbox/contracts/EtherVault.sol');
const VAULT = fs.readFileSync(VAULT_FILE, 'utf8');

describe('the debugger in the workbench', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;
  let debug: DebugView;

  before(async () => {
    code = window();
    debug = new DebugView(code);
    await code.showView();
    await code.row('default').waitFor();
  });

  it('starts from a transaction of a chain in the side bar', async () => {
    await code.showPane('Projects', false);
    await code.showPane('Chains');
    await code.row('Story').waitFor();
    const first = code.tree.nth(2);
    await code.contextMenu(first, 'Debug Transaction…');
    await code.command('View: Show Run and Debug');
    await debug.frames.first().waitFor();
    await code.screenshot('debugger-from-tree');
    await debug.end();
    await code.command('View: Close All Editors');
  });

  it('starts from a link at the failure', async () => {
    const hash = sandboxHash('error-string');
    await code.openUrl(`vscode://forklens.forklens/debug?chain=sandbox&tx=${hash}&at=failure`);
    await code.dialog.getByText('Debug the transaction of this link?').waitFor();
    await code.dialog.getByRole('button', { name: 'Debug' }).click();
    await code.command('View: Show Run and Debug');
    await debug.frames.filter({ hasText: 'TokenBase._transfer' }).first().waitFor();
    await code.page.getByText('Token: balance too low').first().waitFor();
    await code.screenshot('debugger-failure');
  });

  it('shows beside the line why it fails, and runs it again with another argument', async () => {
    // The text beside a line is content of a style.
    await code.page.waitForFunction(() =>
      [...document.querySelectorAll('.view-line span')].some((span) =>
        getComputedStyle(span, '::after').content.includes('✗ Token: balance too low'),
      ),
    );
    const lens = code.page.locator('.codelens-decoration a', {
      hasText: 'Change Argument and Run Again',
    });
    await lens.waitFor();
    await code.screenshot('debugger-failing-line');
    await lens.click();
    await code.choose('Change fields, then choose', /^value: uint256/);
    await code.answer('Enter an amount in HBR', '1 HBR');
    await code.quickInput.locator('.monaco-list-row', { hasText: 'was 1000000 HBR' }).waitFor();
    await code.screenshot('debugger-change-argument');
    await code.choose('Change fields, then choose', 'Simulate');
    await code.page.locator('.tab', { hasText: 'with changes' }).waitFor();
    const compared = code.inspector();
    await compared.getByRole('toolbar', { name: 'Differences' }).waitFor();
    await code.screenshot('debugger-changed-argument');
    await code.command('View: Close Editor');
  });

  it('shows the instructions of a contract', async () => {
    await code.command('Open Disassembly View');
    const rows = code.page.locator('.disassembly-view .monaco-list-row');
    await rows.filter({ hasText: 'REVERT' }).first().waitFor();
    await code.screenshot('debugger-disassembly');
  });

  it('ends its session', async () => {
    await debug.end();
    await code.command('View: Close All Editors');
  });

  it('shows calls of functions inside contracts in the call tree', async () => {
    const inspector = await code.analyze(sandboxHash('error-string'), 'sandbox');
    await inspector.getByRole('tab', { name: /Call tree/ }).click();
    await inspector.getByRole('button', { name: 'Calls inside contracts' }).click();
    const inside = inspector.locator('[role=treeitem]', { hasText: 'INTERNAL' });
    await inside.filter({ hasText: '_transfer' }).click();
    await code.page.keyboard.press('d');
    await inspector.locator('.details', { hasText: 'TokenBase._transfer(' }).waitFor();
    await code.screenshot('debugger-internal-calls');
    await inspector.locator('.row[role=treeitem]').first().click();
    await inspector
      .locator('.details', { hasText: 'HarborToken.sol:8 (of the sandbox)' })
      .waitFor();
    await code.screenshot('debugger-source-known');
    await inside.filter({ hasText: '_transfer' }).click();
    await inspector.locator('.details', { hasText: 'TokenBase._transfer(' }).waitFor();
    await inspector.locator('.details').getByTitle('Open the source').click();
    await code.page.getByRole('tab', { name: /TokenBase|HarborToken/ }).waitFor();
    await code.screenshot('debugger-source-document');
    await code.command('View: Close All Editors');
  });

  it('starts from a call of a function inside a contract', async () => {
    const inspector = await code.analyze(sandboxHash('error-string'), 'sandbox');
    await inspector.getByRole('tab', { name: /Call tree/ }).click();
    await inspector.getByRole('button', { name: 'Calls inside contracts' }).click();
    const inside = inspector.locator('[role=treeitem]', { hasText: 'INTERNAL' });
    await inside.filter({ hasText: '_transfer' }).click({ button: 'right' });
    await inspector.getByRole('menuitem', { name: 'Debug From Here' }).click();
    await debug.isAt('TokenBase._transfer', 36, 0);
    await debug.end();
    await code.command('View: Close All Editors');
  });

  it('goes to the rows of a call tree that are clicked, which keeps the focus', async () => {
    const inspector = await code.analyze(sandboxHash('error-string'), 'sandbox');
    await inspector.getByRole('tab', { name: /Call tree/ }).click();
    await inspector.getByRole('button', { name: 'Calls inside contracts' }).click();
    const row = (text: string): Locator =>
      inspector.locator('.row[role=treeitem]', { hasText: text }).first();
    await row('_transfer').click({ button: 'right' });
    await inspector.getByRole('menuitem', { name: 'Debug From Here' }).click();
    await code.command('View: Show Run and Debug');
    await debug.isAt('TokenBase._transfer', 36, 0);
    await code.command('View: Close All Editors');

    await code.analyze(sandboxHash('error-string'), 'sandbox');
    await inspector.getByRole('tab', { name: /Call tree/ }).click();
    await inspector.getByRole('button', { name: 'Calls inside contracts' }).click();
    await inspector.locator('.row.debugged', { hasText: '_transfer' }).waitFor();
    await row('HBR.transfer').click();
    await debug.isAt('HarborToken.transfer', 12, 0);
    await inspector.locator('.row.debugged', { hasText: 'HBR.transfer' }).waitFor();
    await row('_transfer').click();
    await debug.isAt('TokenBase._transfer', 36, 0);
    await inspector.locator('.row.selected.debugged', { hasText: '_transfer' }).waitFor();
    // The source is beside the inspector, which is in view and takes keys.
    await code.page.locator('.editor-instance .debug-top-stack-frame-line').first().waitFor();
    await inspector.locator('[role=tree]:focus').waitFor();
    await code.page.keyboard.press('Home');
    await inspector.locator('[role=treeitem][data-index="0"].selected').waitFor();
    await inspector.locator('.row.debugged', { hasText: '_transfer' }).waitFor();
    await code.screenshot('debugger-click-in-call-tree');
    await debug.end();
    await code.command('View: Close All Editors');
  });

  it('opens the exploit of the sandbox from the inspector, at its first line', async () => {
    const inspector = await code.analyze(EXPLOIT, 'sandbox');
    await inspector.getByRole('button', { name: 'Debug', exact: true }).click();
    await code.page.getByRole('tab', { name: 'EtherVault.sol' }).waitFor();
    await code.command('View: Show Run and Debug');
    await debug.isAt('VaultThief.attack', 39);
    await code.screenshot('debugger-entry');
  });

  it('steps forwards and back', async () => {
    await debug.toolbar(/^Step Into/).click();
    await debug.isAt('EtherVault.deposit', 14);
    await debug.isAt('VaultThief.attack', 39);
    await code.screenshot('debugger-step');
    await debug.toolbar(/^Step Back/).click();
    await debug.isAt('VaultThief.attack', 39);
  });

  it('stops at a breakpoint on a line', async () => {
    await debug.breakAt(23);
    await debug.toolbar(/^Continue/).click();
    await debug.isAt('EtherVault.withdraw', 23);
    await debug.isAt('VaultThief.receive', 45);
    await code.screenshot('debugger-breakpoint');
  });

  it('marks executed lines with their gas', async () => {
    await code.command('Forklens: Toggle Executed Lines');
    // The text beside a line is content of a style.
    await code.page.waitForFunction(() =>
      [...document.querySelectorAll('.view-line span')].some((span) =>
        getComputedStyle(span, '::after').content.includes('22,396 gas'),
      ),
    );
    await code.screenshot('debugger-executed-lines');
  });

  it('marks the call in the inspector, and is moved from there', async () => {
    await code.page.getByRole('tab', { name: /0xbe04/ }).click();
    const inspector = code.inspector();
    await inspector.getByRole('tab', { name: /Call tree/ }).click();
    await inspector.locator('.row.debugged').waitFor();
    await code.screenshot('debugger-call-tree');
    const deposit = inspector.locator('[role=treeitem]', { hasText: 'deposit' }).first();
    await inspector.getByRole('treeitem').first().click();
    await code.page.keyboard.press('Home');
    await deposit.click({ button: 'right' });
    await inspector.getByRole('menuitem', { name: 'Go to Call in Debugger' }).click();
    await debug.frames.filter({ hasText: 'EtherVault.deposit' }).first().waitFor();
    await code.page.getByRole('tab', { name: /0xbe04/ }).click();
    await code.inspector().locator('.row.debugged', { hasText: 'deposit' }).waitFor();
    await code.screenshot('debugger-moved');
  });

  it('unmarks the call at the end of the session', async () => {
    await debug.end();
    await code.inspector().locator('.row.debugged').waitFor({ state: 'detached' });
  });
});

describe('an exploit in the workbench, from its analysis to a contract that withstands it', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;
  let debug: DebugView;

  before(async () => {
    code = window();
    debug = new DebugView(code);
    await writeHardhatBuild(code.workbench.workspace, 'contracts/EtherVault.sol', VAULT);
    await code.showView();
    await code.row('default').waitFor();
  });

  /** The balance of the thief in the vault, which the exploit relies on. */
  const balance = (): Promise<Locator> => debug.expanded(/^State/, /^balanceOf/, /^\[0xbded/i);

  it('is debugged from the call that drains the vault', async () => {
    const inspector = await code.analyze(EXPLOIT, 'sandbox');
    await inspector.getByRole('tab', { name: /Call tree/ }).click();
    await inspector.getByRole('button', { name: 'Expand all' }).click();
    const last = inspector.locator('[role=treeitem]', { hasText: /withdraw\(\)/ }).last();
    await last.click();
    await last.click({ button: 'right' });
    await inspector.getByRole('menuitem', { name: 'Debug From Here' }).click();
    await code.page.getByRole('tab', { name: 'EtherVault.sol' }).waitFor();
    await code.command('View: Show Run and Debug');
    await debug.isAt('EtherVault.withdraw', 19, 0);
    await code.screenshot('story-draining-call');
  });

  it('leads back to the payment before the balance is reduced', async () => {
    // The line has a condition and the call.
    await debug.toolbar(/^Step Back/).click();
    await debug.isAt('VaultThief.receive', '45:50', 0);
    await debug.toolbar(/^Step Back/).click();
    await debug.isAt('VaultThief.receive', '45:39', 0);
    await debug.toolbar(/^Step Back/).click();
    await debug.isAt('EtherVault.withdraw', 21, 0);
    await code.screenshot('story-invariant');
  });

  it("leads back to the writer of the thief's balance", async () => {
    await code.contextMenu(await balance(), 'Break on Value Change');
    await debug.toolbar(/^Reverse/).click();
    await debug.isAt('EtherVault.deposit', 14, 0);
    await code.page
      .getByText(/^Write of balanceOf\[0x/)
      .first()
      .waitFor();
    await balance();
    // The editor shows the variables of the stop before for a while: an input that is open then is closed.
    await debug.variable(/^\[0xbded.*= ?0$/i).waitFor();
    await code.screenshot('story-writer');
  });

  it('continues as a simulation when a variable is changed', async () => {
    const row = await balance();
    await row.dblclick();
    const input = code.page.locator('.debug-view-content .inputBoxContainer input');
    await input.fill('5 ether');
    await input.press('Enter');
    await debug.isAt('VaultThief.attack', 39, 0);
    await code.page.getByText('Start of the changed simulation').first().waitFor();
    await code.command('Debug Console: Focus on Debug Console View');
    await code.page.getByText('This is a simulation from the start').first().waitFor();
    await code.screenshot('story-changed-variable');
    await debug.end();
    await code.command('View: Hide Panel');
  });

  it('fails with the corrected contract', async () => {
    const paid = '        (bool sent,) = msg.sender.call{value: amount}("");';
    const reduced = '        balanceOf[msg.sender] = 0;\n';
    const fixed = VAULT.replace(reduced, '').replace(paid, reduced + paid);
    await writeHardhatBuild(code.workbench.workspace, 'contracts/EtherVault.sol', fixed);
    await code.openFile('EtherVault.sol');
    const lens = await code.firstLens('Run again');
    await code.screenshot('story-corrected');
    const compared = code.page.getByRole('tab', {
      name: `${shortHash(EXPLOIT)} with EtherVault of the workspace`,
    });
    // The editor replaces the lenses when the session ends. A click on a replaced lens has no effect.
    for (let attempt = 0; !(await compared.isVisible()); attempt++) {
      await lens.click();
      try {
        await compared.waitFor({ timeout: 10_000 });
      } catch (error) {
        if (attempt === 2) throw error;
      }
    }
    // The notification hides itself after a while.
    await code.toast('EtherVault of the workspace runs in place of the deployed code').waitFor();
    const comparison = code.inspector();
    await comparison.getByText('Vault: ether not accepted').first().waitFor();
    await code.dismissToasts();
    await code.screenshot('story-compared');
    await code.setTheme('Default Light Modern', 'vs');
    await code.screenshot('story-compared-light');
  });
});
