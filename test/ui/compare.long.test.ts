import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { sandboxHash } from '../support/sandbox-hashes';
import { shortHash, useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

const SWAP = sandboxHash('swap-two-hops');
const TOO_LITTLE = sandboxHash('swap-too-little');
const WRAP = sandboxHash('wrap-ether');
const UNWRAP = sandboxHash('unwrap-ether');
const SEND = sandboxHash('send-ether');
const BOB = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const DAVE = `0x${'da'.repeat(20)}`;

/** Summary of the comparison of the two swaps. */
const SWAPS = [
  `Left ${shortHash(TOO_LITTLE)} on sandbox Reverted swapExactTokensForTokens · gas 78,026 TooLittleReceived(received: 19,852,288, minimum: 25,000,000)`,
  `Right ${shortHash(SWAP)} on sandbox Success swapExactTokensForTokens · gas 112,675`,
];

/** Source, outcome and method of both sides, and the number of differences. */
async function summary(inspector: FrameLocator): Promise<string[]> {
  await inspector.getByRole('toolbar', { name: 'Differences' }).waitFor();
  const heads = await inspector.locator('.compare-side').allInnerTexts();
  const count = await inspector.locator('.compare-count').innerText();
  return [...heads, count].map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

describe('the comparison of two analyses', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;

  before(async () => {
    code = window();
    await code.showView();
    await code.row('default').waitFor();
  });

  it('opens from an inspector, which offers the other open ones', async () => {
    await code.analyze(SWAP, 'sandbox');
    await code.analyze(TOO_LITTLE, 'sandbox');
    await code.chooseAction('Compare With…');
    await code.quickInput.locator('.monaco-list-row', { hasText: shortHash(SWAP) }).waitFor();
    await code.screenshot('compare-with');
    await code.choose('Compare with', `swapExactTokensForTokens ${shortHash(SWAP)}`);
    assert.deepEqual(await summary(code.inspector()), [...SWAPS, '1 of 12']);
    await code.screenshot('compare-transactions');
  });

  it('moves from one difference to the next and describes it', async () => {
    const inspector = code.inspector();
    const details = inspector.getByRole('complementary');
    await details.getByText(/^Differs: another contract, method or caller, other/).waitFor();
    await code.page.keyboard.press('n');
    await inspector.getByText('2 of 12').waitFor();
    const selected = inspector.locator('.grid-row[aria-selected=true]');
    assert.match(
      await selected.innerText(),
      /^HBR\.transferFrom\(from: carol, [^]*\nHBR\.transferFrom\(from: alice, /,
    );
    await inspector.getByRole('treegrid').focus();
    await code.page.keyboard.press('ArrowLeft');
    await inspector.locator('.grid-row[aria-selected=true][aria-expanded=false]').waitFor();
    await inspector.getByRole('tab', { name: 'Balance changes' }).click();
    await inspector.locator('.grid-row', { hasText: 'WETH' }).first().waitFor();
    await code.screenshot('compare-balances');
  });

  it('accepts transactions by hash', async () => {
    await code.command('Forklens: Compare Analyses…');
    await code.answer('Transaction hash', WRAP);
    await code.choose('Compare with', 'Enter a transaction hash');
    // With its capital letter: the list before has an item of the same words.
    await code.answer(/Transaction hash/, UNWRAP);
    await code.page.locator('.tab.active', { hasText: shortHash(UNWRAP) }).waitFor();
    assert.deepEqual(await summary(code.inspector()), [
      `Left ${shortHash(WRAP)} on sandbox Success deposit · gas 44,979`,
      `Right ${shortHash(UNWRAP)} on sandbox Success withdraw · gas 35,295`,
      '1 of 4',
    ]);
  });

  it('accepts a simulation', async () => {
    const left = { chain: 'sandbox', transaction: SEND };
    const request = { from: BOB, to: DAVE, value: '0x1' };
    const right = { chain: 'sandbox', request, title: 'a gift' };
    await code.commandWith('forklens.compareAnalyses', { left, right }, 'a gift');
    assert.deepEqual(await summary(code.inspector()), [
      `Left ${shortHash(SEND)} on sandbox Success native transfer · gas 21,000`,
      'Right a gift on sandbox Success native transfer · gas 21,000',
      '1 of 1',
    ]);
    await code.screenshot('compare-simulation');
  });

  it('is restored after a window reload', async () => {
    await code.reload();
    await code.inspector().getByText('a gift').waitFor();
    assert.equal((await summary(code.inspector())).length, 3);
    await code.page.locator('.tab', { hasText: `${shortHash(TOO_LITTLE)} ↔` }).click();
    await code.inspector().getByText(shortHash(TOO_LITTLE)).waitFor();
    assert.deepEqual(await summary(code.inspector()), [...SWAPS, '2 of 12']);
    const inspector = code.inspector();
    const balances = inspector.getByRole('tab', { name: 'Balance changes' });
    assert.equal(await balances.getAttribute('aria-selected'), 'true');
    await inspector.getByRole('tab', { name: 'Calls' }).click();
    const selected = inspector.locator('.grid-row[aria-selected=true]');
    assert.match(await selected.innerText(), /^HBR\.transferFrom\(from: carol, /);
    assert.equal(await selected.getAttribute('aria-expanded'), 'false');
  });
});
