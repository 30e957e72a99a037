import assert from 'node:assert/strict';
import { eventually } from '../support/eventually';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

/** Of the sandbox: emptied by reentrancy in block 12. */
const VAULT = '0xc3e53f4d16ae77db1c982e75a937b9f60fe63690';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

describe('when did this change', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;

  before(async () => {
    code = window();
    await code.showView();
  });

  it('finds the transaction from the palette, and opens its analysis', async () => {
    await code.command('Forklens: When Did This Change…');
    await code.choose('Chain or fork', 'sandbox');
    await code.answer('Expression in Solidity', `${VAULT}.balance < 1 ether`);
    await code.choose(/^Blocks in which/, 'All blocks');
    await code.choose('It changed 2 times', 'false → true');
    await code.toast(/changed from .* to true in block 12, by transaction 0 of it\./).waitFor();
    // At the call that paid last, with its line one click away.
    await code
      .inspector()
      .locator('[role=treeitem][aria-selected=true]')
      .filter({ hasText: '2 ETH' })
      .waitFor();
    await code.screenshot('when-changed');
    await code
      .toast(/by transaction 0/)
      .getByRole('button', { name: 'EtherVault.sol:21' })
      .waitFor();
    await code.dismissToasts();
  });

  it('executes a block otherwise from its row, by keyboard, mouse and forms', async () => {
    await code.showPane('Projects', false);
    await code.showPane('Chains');
    await code.row('Sandbox').waitFor();
    await code.row('Story').click();
    await code.page.keyboard.press('ArrowLeft');
    await code.contextMenu(code.row(/^8/), 'What Would Have Happened…');
    await code.page.getByRole('tab', { name: /^Block 8 of sandbox/ }).waitFor();
    const page = code.inspector();
    const items = page.getByRole('option');
    const order = async (): Promise<string[]> => items.locator('.was').allTextContents();
    await items.nth(6).waitFor();
    assert.deepEqual(await order(), ['0', '1', '2', '3', '4', '5', '6']);
    await items.nth(1).press('Alt+ArrowUp');
    await eventually(async () => {
      assert.deepEqual(await order(), ['1', '0', '2', '3', '4', '5', '6']);
    });
    await items.nth(5).press('Delete');
    await items.nth(5).filter({ hasText: 'left out' }).waitFor();
    // The mouse moves it behind all others.
    await items.nth(6).dragTo(items.nth(2));
    await eventually(async () => {
      assert.deepEqual(await order(), ['1', '0', '6', '2', '3', '4', '5']);
    });
    await items.nth(4).press('Enter');
    await code.choose('Field to change', 'Gas price');
    await code.answer(/Enter wei, or an amount/, '30 gwei');
    await items.nth(4).filter({ hasText: 'gasPrice = 30000000000' }).waitFor();
    await page.getByRole('button', { name: 'Insert transaction…' }).click();
    await code.answer(/Enter a hash of another block/, ALICE);
    await code.answer(/Enter an address/, VAULT);
    await code.answer(/Enter wei, or an amount/, '1.5 ether');
    await code.answer(/Enter bytes/, '0xd0e30db0');
    await items.filter({ hasText: 'inserted' }).waitFor();
    await code.screenshot('other-block-list');
    await page.getByRole('button', { name: 'What would have happened' }).click();
    const result = page.getByRole('status');
    await result.filter({ hasText: /^1 → 0 +0x1aa6\w+ other effects$/m }).waitFor();
    await result.filter({ hasText: /^5 → - +0xeabb\w+ dropped$/m }).waitFor();
    await result.filter({ hasText: /inserted/ }).waitFor();
    await code.screenshot('other-block');
    await code.command('View: Revert and Close Editor');
  });
});
