import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { sandboxHash } from '../support/sandbox-hashes';
import { callTree } from './support/call-tree';
import { shortHash, useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';
import { DebugView } from './support/debug-view';

const ALICE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BOB = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const SWAP = sandboxHash('swap-two-hops');
const TOO_LITTLE = sandboxHash('swap-too-little');
const EXPLOIT = sandboxHash('exploit-reentrancy');
const BOOK = `---
forklens-book: 1
chain: sandbox
---

# Incident

\`\`\`yaml forklens-analyze
${SWAP}
view: balances
\`\`\`
`;

/** What a case shows besides one analysis: written from where it is shown, closed, and opened from the file. */
describe('case files of other kinds in the workbench', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;
  let debug: DebugView;

  before(async () => {
    code = window();
    debug = new DebugView(code);
    fs.writeFileSync(path.join(code.workbench.workspace, 'incident.forklens-book'), BOOK);
    await code.showView();
    await code.row('default').waitFor();
  });

  /** Accepts the proposed name, and waits until the file is written. */
  const written = async (name: string): Promise<void> => {
    const file = await code.acceptPath('Save As Case', 'forklens');
    assert.equal(path.basename(file), name);
    await code.toast(`Wrote ${name}`).waitFor();
    await code.dismissToasts();
    await code.command('View: Close All Editors');
    await code.page.locator('.tab').first().waitFor({ state: 'detached' });
  };

  it('keep a simulation with its title', async () => {
    const request = { from: ALICE, to: BOB, value: '0xde0b6b3a7640000' };
    const simulation = { chain: 'sandbox', request, title: 'a gift' };
    await code.commandWith('forklens.showSimulation', simulation, 'a gift');
    const expected = await callTree(code.inspector());
    assert.deepEqual(expected, ['CALL native transfer to bob, value 1, gas 21,000']);
    await code.chooseAction('Save As Case…');
    await written('simulation.forklens');
    await code.openFile('simulation.forklens');
    await code.inspector().locator('header', { hasText: 'native transfer' }).waitFor();
    assert.deepEqual(await callTree(code.inspector()), expected);
    await code.screenshot('case-simulation');
  });

  it('keep a comparison with both sides', async () => {
    const heads = async (): Promise<string[]> => {
      await code.inspector().getByRole('toolbar', { name: 'Differences' }).waitFor();
      const texts = await code.inspector().locator('.compare-side').allInnerTexts();
      // The name of the chain is that of the case.
      return texts.map((text) => text.replaceAll(/\s+/g, ' ').replace(/ on \S+/, ''));
    };
    await code.analyze(SWAP, 'sandbox');
    await code.analyze(TOO_LITTLE, 'sandbox');
    await code.chooseAction('Compare With…');
    await code.choose('Compare with', `swapExactTokensForTokens ${shortHash(SWAP)}`);
    const expected = await heads();
    assert.equal(expected.length, 2);
    await code.command('Forklens: Save As Case…');
    await written('comparison.forklens');
    await code.pickFile('comparison.forklens');
    assert.deepEqual(await heads(), expected);
    await code.screenshot('case-comparison');
  });

  it('keep a notebook, whose cells run on the case', async () => {
    const heading = () => code.inspector().getByRole('heading', { name: 'Incident' });
    await code.openFile('incident.forklens-book');
    await heading().waitFor();
    await code.command('Forklens: Save As Case…');
    // It has one transaction, as an analysis of it has.
    await code.choose('Proofs of the state', 'Without proofs');
    await written('incident.forklens');
    const { workspace } = code.workbench;
    fs.rmSync(path.join(workspace, 'incident.forklens-book'));
    // The list of files would offer the notebook first.
    fs.renameSync(path.join(workspace, 'incident.forklens'), path.join(workspace, 'sent.forklens'));
    await code.pickFile('sent.forklens');
    await heading().waitFor();
    await code.page
      .locator('.cell-status-item', { hasText: /case-[0-9a-f]{12}/ })
      .first()
      .waitFor();
    await code.command('Notebook: Run All');
    const analysis = code.inspector().locator('iframe[title="Analysis of a transaction"]');
    await analysis.contentFrame().locator('.grid-row').first().waitFor();
    await code.screenshot('case-notebook');
    await code.command('View: Revert and Close Editor');
  });

  it('keep a debugger session with its step, and breakpoints on lines and data', async () => {
    await debug.start(EXPLOIT, 'EtherVault.sol', 'VaultThief.attack', 39);
    await debug.breakAt(21);
    await debug.toolbar(/^Continue/).click();
    await debug.isAt('EtherVault.withdraw', 21, 0);
    const balance = await debug.expanded(/^State/, /^balanceOf/, /^\[0xbded/i);
    await code.contextMenu(balance, 'Break on Value Change');
    await code.command('Forklens: Save As Case…');
    await code.choose('Proofs of the state', 'Without proofs');
    const name = `transaction-${EXPLOIT.slice(0, 10)}.forklens`;
    await written(name);
    await debug.end();
    await debug.removeBreakpoints();

    await code.pickFile(name);
    await code.command('Debug: Focus on Breakpoints View');
    await debug.isAt('EtherVault.withdraw', 21, 0);
    const shown = code.page.locator('.debug-breakpoints .monaco-list-row');
    await shown.filter({ hasText: 'Write of balanceOf' }).waitFor();
    await shown.filter({ hasText: 'EtherVault.sol' }).waitFor();
    await code.screenshot('case-session');
    await debug.toolbar(/^Reverse/).click();
    await debug.isAt('EtherVault.deposit', 14, 0);
    await code.page
      .getByText(/^Write of balanceOf\[0x.*: 0 → 2/)
      .first()
      .waitFor();
    await code.screenshot('case-session-data');
    await debug.end();
  });
});
