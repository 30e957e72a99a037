import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

/** Of the sandbox: emptied by reentrancy in block 12. */
const VAULT = '0xc3e53f4d16ae77db1c982e75a937b9f60fe63690';

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
    await code.inspector().locator('.overview').waitFor();
    await code.screenshot('when-changed');
    await code.dismissToasts();
  });

  it('executes a block in another order from its row, by keyboard', async () => {
    await code.showPane('Projects', false);
    await code.showPane('Chains');
    await code.row('Sandbox').waitFor();
    await code.row('Story').click();
    await code.page.keyboard.press('ArrowLeft');
    await code.contextMenu(code.row(/^8/), 'What Would Have Happened…');
    const list = /^Transaction to leave out or to move/;
    await code.choose(list, '1: multicall');
    await code.choose('What happens to transaction 1', 'Move up');
    await code.choose(list, '5: report');
    await code.choose('What happens to transaction 5', 'Leave out');
    await code.screenshot('other-block-list');
    await code.choose(list, 'Execute the block in this order');
    await code.page.getByRole('tab', { name: /^Block 8 of sandbox/ }).waitFor();
    const line = code.page.locator('.editor-instance .view-line');
    // The editor draws spaces as ones that do not break.
    await line.filter({ hasText: /^1\s→\s0\s+0x1aa6\w+\sother\seffects/ }).waitFor();
    await line.filter({ hasText: /^5\s→\s-\s+0xeabb\w+\sdropped/ }).waitFor();
    await code.screenshot('other-block');
    await code.command('View: Revert and Close Editor');
  });
});
