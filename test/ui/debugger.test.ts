import assert from 'node:assert/strict';
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

  /** The first line of the call stack, once it holds the text. */
  const frame = (text: string | RegExp): Locator =>
    code.page.locator('.debug-call-stack .stack-frame', { hasText: text }).first();
  const toolbar = (title: string | RegExp): Locator =>
    code.page.locator('.debug-toolbar').getByRole('button', { name: title });
  /** Number of the line on which the debugger is. */
  const line = async (number: number): Promise<void> => {
    await code.page
      .locator('.debug-call-stack .monaco-list-row.selected .line-number', {
        hasText: new RegExp(`^${number}:`),
      })
      .waitFor();
  };

  it('opens the exploit of the sandbox from the inspector, at its first line', async () => {
    const inspector = await code.analyze(sandboxHash('exploit-reentrancy'), 'sandbox');
    await inspector.getByRole('button', { name: 'Debug', exact: true }).click();
    await frame('VaultThief.attack').waitFor();
    await code.page.getByRole('tab', { name: 'EtherVault.sol' }).waitFor();
    await line(39);
    await code.screenshot('debugger-entry');
  });

  it('steps forwards and back', async () => {
    await toolbar(/^Step Into/).click();
    await frame('EtherVault.deposit').waitFor();
    await line(14);
    await code.screenshot('debugger-step');
    await toolbar(/^Step Back/).click();
    await line(39);
    assert.equal(await frame('EtherVault.deposit').count(), 0);
  });

  it('stops at a breakpoint that is set beside the line', async () => {
    const gutter = code.page.locator('.editor-instance .margin-view-overlays .line-numbers', {
      hasText: /^23$/,
    });
    const { x, y, height } = (await gutter.boundingBox())!;
    await code.page.mouse.click(x - 8, y + height / 2);
    await code.page.locator('.codicon-debug-breakpoint').first().waitFor();
    await toolbar(/^Continue/).click();
    await line(23);
    await code.screenshot('debugger-breakpoint');
  });

  it('marks the call in the inspector, and is moved from there', async () => {
    await code.page.getByRole('tab', { name: /0xbe04/ }).click();
    const inspector = code.inspector();
    await inspector.getByRole('tab', { name: /Call tree/ }).click();
    await inspector.locator('.row.debugged').waitFor();
    await code.screenshot('debugger-call-tree');
  });
});
