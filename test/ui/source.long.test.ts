import assert from 'node:assert/strict';
import { cp, rename } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { callTree } from './support/call-tree';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';
import { storeTwice, Vaults } from './support/vaults';

describe('the sources of a project in the workspace', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;
  let home: string;
  let url: string;
  let teller: string;

  before(async () => {
    home = await makeTemporaryDirectory();
    const vaults = await Vaults.build(home);
    code = window();
    await cp(vaults.project, code.workbench.workspace, { recursive: true });
    await code.showView();
    await code.row('default').waitFor();
    url = await code.forkSandbox('vaults');
    teller = await vaults.deploy(url);
  });
  after(() => removeDirectory(home));

  const details = (inspector: FrameLocator) => inspector.getByRole('complementary');
  const selection = () => code.page.locator('.statusbar-item[id="status.editor.selection"]');

  it('decode its contracts without any configuration', async () => {
    const hash = await storeTwice(url, teller, 60);
    const inspector = await code.analyze(hash, 'vaults');
    await inspector.locator('header', { hasText: 'TooMuch(' }).waitFor();
    await inspector.locator('.fork-name', { hasText: 'vaults' }).waitFor();
    const names = await callTree(inspector);
    assert.match(names[0]!, /^CALL Teller\.storeTwice\(amount: 60\), failed: TooMuch\(/);
    assert.match(names[1]!, /^CALL Vault\.store\(amount: 60\)/);
    assert.match(names[2]!, /^Event Vault.*Stored\(who: Teller, amount: 60\)/);
    assert.match(names[3]!, /^CALL Vault\.store\(amount: 120\), failed: TooMuch\(/);
  });

  it('are linked from the details of a call', async () => {
    const inspector = code.inspector();
    await inspector.locator('[role=treeitem]').last().click();
    await inspector.getByRole('button', { name: /^Details of/ }).click();
    const links = details(inspector).getByRole('button', { name: /\.sol:\d+$/ });
    await links.nth(3).waitFor();
    assert.deepEqual(await links.allInnerTexts(), [
      'src/Vault.sol:5',
      'src/Vault.sol:12',
      'src/Teller.sol:23',
      'src/Vault.sol:13',
    ]);
    await code.screenshot('source-links');
  });

  it('open beside the inspector, at the line that failed', async () => {
    const inspector = code.inspector();
    await inspector.locator('[role=treeitem]').last().click();
    await code.page.keyboard.press('Enter');
    await code.page.locator('.tab.active', { hasText: 'Vault.sol' }).waitFor();
    await selection().filter({ hasText: 'Ln 13, Col 36 (34 selected)' }).waitFor();
    assert.equal(await code.page.locator('.editor-group-container').count(), 2);
    await code.screenshot('source-beside');
  });

  it('open at the line of the call from the link', async () => {
    await details(code.inspector()).getByRole('button', { name: 'src/Teller.sol:23' }).click();
    await code.page.locator('.tab.active', { hasText: 'Teller.sol' }).waitFor();
    // The click can take the focus back from the editor, whose position the status bar then does not show.
    await code.page.locator('.line-numbers.active-line-number', { hasText: /^23$/ }).waitFor();
    await code.page.locator('.selected-text').first().waitFor({ state: 'attached' });
    assert.equal(await code.page.locator('.editor-group-container').count(), 2);
  });

  it('show a warning if they are in no folder of the window', async () => {
    const { workspace } = code.workbench;
    await rename(path.join(workspace, 'src/Vault.sol'), path.join(home, 'Vault.sol'));
    await details(code.inspector()).getByRole('button', { name: 'src/Vault.sol:12' }).click();
    const warning = code.toast('src/Vault.sol is in no folder of this window.');
    await warning.waitFor();
    await code.screenshot('source-missing');
    await warning.getByRole('button', { name: 'Open Folder…' }).click();
    await code.quickInput.filter({ hasText: 'Open Folder' }).waitFor();
  });
});
