import type { Locator } from 'playwright-core';
import { sandboxHash } from '../support/sandbox-hashes';
import { useCodeWindow, type CodeWindow } from './support/code-window';

describe('the debugger in the workbench', () => {
  const window = useCodeWindow();
  let code: CodeWindow;

  before(async () => {
    code = window();
    await code.showView();
    await code.row('default').waitFor();
  });

  const frames = (): Locator => code.page.locator('.debug-call-stack .stack-frame');
  /** Waits for a frame with this name and line. */
  const isAt = async (name: string, line: number): Promise<void> => {
    const number = code.page.locator('.line-number', { hasText: `${line}:` });
    await frames().filter({ hasText: name }).filter({ has: number }).first().waitFor();
  };
  const toolbar = (title: string | RegExp): Locator =>
    code.page.locator('.debug-toolbar').getByRole('button', { name: title });

  it('starts from a link at the failure', async () => {
    const hash = sandboxHash('error-string');
    await code.openUrl(`vscode://forklens.forklens/debug?chain=sandbox&tx=${hash}&at=failure`);
    await code.command('View: Show Run and Debug');
    await frames().filter({ hasText: 'HarborToken._transfer' }).first().waitFor();
    await code.page.getByText('Paused on exception').first().waitFor();
    await code.screenshot('debugger-failure');
  });

  it('shows the instructions of a contract', async () => {
    await code.command('Open Disassembly View');
    const rows = code.page.locator('.disassembly-view .monaco-list-row');
    await rows.filter({ hasText: 'REVERT' }).first().waitFor();
    await code.screenshot('debugger-disassembly');
  });

  it('ends its session', async () => {
    await code.command('Debug: Stop');
    await code.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
    await code.command('View: Close All Editors');
  });

  it('opens the exploit of the sandbox from the inspector, at its first line', async () => {
    const inspector = await code.analyze(sandboxHash('exploit-reentrancy'), 'sandbox');
    await inspector.getByRole('button', { name: 'Debug', exact: true }).click();
    await code.page.getByRole('tab', { name: 'EtherVault.sol' }).waitFor();
    await code.command('View: Show Run and Debug');
    await isAt('VaultThief.attack', 39);
    await code.screenshot('debugger-entry');
  });

  it('steps forwards and back', async () => {
    await toolbar(/^Step Into/).click();
    await isAt('EtherVault.deposit', 14);
    await isAt('VaultThief.attack', 39);
    await code.screenshot('debugger-step');
    await toolbar(/^Step Back/).click();
    await isAt('VaultThief.attack', 39);
  });

  it('stops at a breakpoint on a line', async () => {
    await code.page.locator('.editor-instance .view-line').last().click();
    await code.page.keyboard.press('Control+G');
    await code.answer('', ':23');
    await code.command('Debug: Toggle Breakpoint');
    await code.page.locator('.codicon-debug-breakpoint').first().waitFor();
    await toolbar(/^Continue/).click();
    await isAt('EtherVault.withdraw', 23);
    await isAt('VaultThief.receive', 45);
    await code.screenshot('debugger-breakpoint');
  });

  it('marks executed lines with their gas', async () => {
    await code.command('Forklens: Toggle Executed Lines');
    // The text beside a line is content of a style.
    await code.page.waitForFunction(() =>
      [...document.querySelectorAll('.view-line span')].some((span) =>
        getComputedStyle(span, '::after').content.includes('22,272 gas'),
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
    await frames().filter({ hasText: 'EtherVault.deposit' }).first().waitFor();
    await code.page.getByRole('tab', { name: /0xbe04/ }).click();
    await code.inspector().locator('.row.debugged', { hasText: 'deposit' }).waitFor();
    await code.screenshot('debugger-moved');
  });

  it('unmarks the call at the end of the session', async () => {
    await code.command('Debug: Stop');
    await code.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
    await code.inspector().locator('.row.debugged').waitFor({ state: 'detached' });
  });
});
