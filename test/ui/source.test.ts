import assert from 'node:assert/strict';
import { cp, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { AbiCoder, id } from 'ethers';
import type { FrameLocator } from 'playwright-core';
import { Foundry } from '../support/foundry';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { callTree } from './support/call-tree';
import { useCodeWindow, type CodeWindow } from './support/code-window';
import { rpc } from './support/rpc';

const CAROL = `0x${'ca'.repeat(20)}`;

describe('the sources of a project in the workspace', () => {
  const window = useCodeWindow();
  let code: CodeWindow;
  let home: string;
  let url: string;
  let teller: string;

  before(async () => {
    home = await makeTemporaryDirectory();
    const { project, ...foundry } = await builtProject(home);
    code = window();
    await cp(project, code.workbench.workspace, { recursive: true });
    await code.showView();
    await code.row('default').waitFor();
    await code.row('Create a fork…').click();
    await code.createSandboxFork('vaults');
    await code.dismissToasts();
    await code.contextMenu(code.row('vaults'), 'Copy RPC URL');
    await code.page.locator('.statusbar-item', { hasText: 'Copied the RPC URL' }).waitFor();
    url = await code.clipboard();
    await rpc(url, 'anvil_setBalance', [CAROL, '0xde0b6b3a7640000']);
    const deploy = async (data: string): Promise<string> => {
      const hash = await rpc(url, 'eth_sendTransaction', [{ from: CAROL, data, gas: '0x2dc6c0' }]);
      const receipt = await rpc<{ contractAddress: string }>(url, 'eth_getTransactionReceipt', [
        hash,
      ]);
      return receipt.contractAddress;
    };
    const vault = await deploy(foundry.vault);
    const argument = AbiCoder.defaultAbiCoder().encode(['address'], [vault]).slice(2);
    teller = await deploy(foundry.teller + argument);
  });
  after(() => removeDirectory(home));

  const details = (inspector: FrameLocator) => inspector.getByRole('complementary');
  const selection = () => code.page.locator('.statusbar-item[id="status.editor.selection"]');

  it('decode its contracts without any configuration', async () => {
    const data = id('storeTwice(uint256)').slice(0, 10) + (60).toString(16).padStart(64, '0');
    const hash = await rpc<string>(url, 'eth_sendTransaction', [
      { from: CAROL, to: teller, data, gas: '0x30d40' },
    ]);
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
    await links.nth(2).waitFor();
    assert.deepEqual(await links.allInnerTexts(), [
      'src/Vault.sol:12',
      'src/Teller.sol:23',
      'src/Vault.sol:13',
    ]);
    await code.screenshot('source-links');
  });

  it('open beside, at the line that failed', async () => {
    const inspector = code.inspector();
    await inspector.locator('[role=treeitem]').last().click();
    await code.page.keyboard.press('Enter');
    await code.page.locator('.tab.active', { hasText: 'Vault.sol' }).waitFor();
    await selection().filter({ hasText: 'Ln 13, Col 36 (34 selected)' }).waitFor();
    assert.equal(await code.page.locator('.editor-group-container').count(), 2);
    await code.screenshot('source-beside');
  });

  it('open at the line of the call, by the link', async () => {
    await details(code.inspector()).getByRole('button', { name: 'src/Teller.sol:23' }).click();
    await selection().filter({ hasText: 'Ln 23, Col 9 (35 selected)' }).waitFor();
    await code.page.locator('.tab.active', { hasText: 'Teller.sol' }).waitFor();
    assert.equal(await code.page.locator('.editor-group-container').count(), 2);
  });

  it('are asked for where they are in no folder of the window', async () => {
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

/** The project of `test/fixtures/foundry` as forge builds it, with the code that creates its contracts. */
async function builtProject(
  home: string,
): Promise<{ project: string; vault: string; teller: string }> {
  const foundry = await Foundry.open(home);
  await foundry.forge('build');
  const creation = async (name: string): Promise<string> => {
    const file = path.join(foundry.project, `out/${name}.sol/${name}.json`);
    const artifact = JSON.parse(await readFile(file, 'utf8')) as { bytecode: { object: string } };
    return artifact.bytecode.object;
  };
  const [vault, teller] = await Promise.all([creation('Vault'), creation('Teller')]);
  return { project: foundry.project, vault, teller };
}
