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
    const lines = code.page.locator('.editor-instance .view-lines');
    await lines.getByText(/as it was and as it would have been/).waitFor();
    await lines.getByText(/1 → 0/).waitFor();
    await lines.getByText(/dropped/).waitFor();
    await code.screenshot('other-block');
  });
});
