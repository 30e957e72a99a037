import assert from 'node:assert/strict';
import { sandboxHash } from '../support/sandbox-hashes';
import { callTree } from './support/call-tree';
import { shortHash, useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

const ALICE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BOB = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const SWAP = sandboxHash('swap-two-hops');

describe('a simulation on a fork', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;

  before(async () => {
    code = window();
    await code.showView();
    await code.row('default').waitFor();
    await code.row('Create a fork…').click();
    await code.createSandboxFork('dry run');
    await code.dismissToasts();
  });

  it('opens from a command, with the name of the fork', async () => {
    await code.contextMenu(code.row('dry run'), 'Copy Fork ID');
    await code.page.locator('.statusbar-item', { hasText: 'Copied' }).waitFor();
    const chain = await code.clipboard();
    const request = { from: ALICE, to: BOB, value: '0xde0b6b3a7640000' };
    await code.commandWith(
      'forklens.showSimulation',
      { chain, request, title: 'a gift' },
      'a gift',
    );
    const inspector = code.inspector();
    await inspector.locator('header .fork-name', { hasText: 'dry run' }).waitFor();
    await inspector.locator('header', { hasText: 'native transfer' }).waitFor();
    await code.screenshot('simulation-on-fork');
    assert.deepEqual(await callTree(inspector), [
      'CALL native transfer to bob, value 1, gas 21,000',
    ]);
  });

  it('offers only actions that apply to a simulation', async () => {
    const toolbar = code.inspector().getByRole('toolbar', { name: 'Actions', exact: true });
    const titles = await toolbar
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('title')));
    assert.deepEqual(titles, [
      'Step through this transaction, forwards and backwards',
      'Copy this card',
      'More actions',
    ]);
  });

  it('is shown beside another inspector', async () => {
    await code.analyze(SWAP, 'sandbox');
    await code.command('View: Move Editor into Right Group');
    await code.page.locator('.editor-group-container').nth(1).waitFor();
    const frames = code.page.locator('iframe.webview.ready');
    await frames.nth(1).waitFor();
    for (const [index, text] of ['native transfer', 'swapExactTokensForTokens'].entries()) {
      const inspector = frames.nth(index).contentFrame().locator('#active-frame').contentFrame();
      await inspector.locator('header .where', { hasText: text }).waitFor();
    }
    await code.screenshot('inspectors-side-by-side');
  });

  it("is compared with another inspector's analysis", async () => {
    await code.chooseAction('Compare With…');
    await code.choose('Compare with', 'a gift');
    await code.page.locator('.tab.active', { hasText: `${shortHash(SWAP)} ↔ a gift` }).waitFor();
    await code.inspector().getByRole('toolbar', { name: 'Differences' }).waitFor();
    await code.screenshot('compare-with-simulation');
  });

  it('is simulated again after a window reload', async () => {
    await code.command('View: Close All Editors in Group');
    await code.page.locator('.editor-group-container').nth(1).waitFor({ state: 'detached' });
    await code.reload();
    const inspector = code.inspector();
    await inspector.locator('header .fork-name', { hasText: 'dry run' }).waitFor();
    assert.deepEqual(await callTree(inspector), [
      'CALL native transfer to bob, value 1, gas 21,000',
    ]);
  });
});
