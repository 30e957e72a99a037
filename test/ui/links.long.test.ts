import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { sandboxHash } from '../support/sandbox-hashes';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

const ALICE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const SWAP = sandboxHash('swap-two-hops');
const FAILED = sandboxHash('custom-error-three-deep');

const SOURCE = `# the swap of the report
SWAP = "${SWAP}"
ALICE = "${ALICE}"
`;

describe('links from text to analyses', function () {
  this.timeout(WORKBENCH_MS);
  // Without GPU acceleration, the terminal's text is in the DOM and can be hovered.
  const window = useCodeWindow({ 'terminal.integrated.gpuAcceleration': 'off' });
  let code: CodeWindow;

  before(async () => {
    code = window();
    fs.writeFileSync(path.join(code.workbench.workspace, 'report.py'), SOURCE);
    await code.showView();
    await code.row('default').waitFor();
  });

  const inspectorOf = async (hash: string): Promise<void> => {
    await code.page.getByRole('tab', { name: `${hash.slice(0, 6)}…${hash.slice(-4)}` }).waitFor();
    await code.inspector().locator('.overview').waitFor();
  };
  const inEditor = (text: string) =>
    code.page.locator('.monaco-editor .view-line span', { hasText: text }).last();
  const hover = () => code.page.locator('.monaco-hover:visible .hover-contents').first();

  it('shows the chain and the actions of a transaction hash', async () => {
    await code.openFile('report.py');
    await inEditor(SWAP).hover();
    await hover().filter({ hasText: 'Sandbox' }).waitFor();
    await code.screenshot('hover-transaction');
    const text = (await hover().innerText()).replaceAll(/\s+/g, ' ');
    assert.match(
      text,
      /^Transaction 0x\w{4}…\w{4} .*Sandbox · block \d+ Analyze · Debug · Fork before this · Copy$/,
    );
  });

  it('opens the inspector from the hover card', async () => {
    await hover().getByText('Analyze', { exact: true }).click();
    await inspectorOf(SWAP);
  });

  it('starts the debugger from the hover card', async () => {
    await code.openFile('report.py');
    await inEditor(SWAP).hover();
    await hover().getByText('Debug', { exact: true }).click();
    await code.command('View: Show Run and Debug');
    const frames = code.page.locator('.debug-call-stack .stack-frame');
    await frames
      .filter({ hasText: /^Router\.swap/ })
      .first()
      .waitFor();
    await code.screenshot('hover-debugger');
    await code.command('Debug: Stop');
    await code.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
    await code.command('View: Close All Editors');
    await code.showView();
  });

  it('shows the label, kind and balance of an address', async () => {
    await code.openFile('report.py');
    await inEditor(ALICE).hover();
    await hover().filter({ hasText: 'alice' }).waitFor();
    await code.screenshot('hover-address');
    const text = (await hover().innerText()).replaceAll(/\s+/g, ' ');
    assert.match(
      text,
      /^alice 0x7099…79c8 Account on sandbox Balance [\d,.]+ ETH · nonce \d+ Show · Name it · Copy$/,
    );
  });

  it('links a transaction hash in a terminal to the inspector and the debugger', async () => {
    await code.command('Terminal: Create New Terminal');
    const rows = code.page.locator('.xterm-rows');
    await rows.filter({ hasText: /\S/ }).waitFor();
    await code.page.keyboard.type(`clear; echo ${FAILED}\n`);
    const printed = rows.locator('span', { hasText: new RegExp(`^${FAILED}`) }).first();
    await printed.waitFor();
    await code.page.keyboard.down('Control');
    await printed.hover({ force: true }); // the terminal's widgets cover it
    await code.page.getByText('Analyze or debug transaction (ctrl + click)').waitFor();
    await code.screenshot('terminal-link');
    await code.page.mouse.down();
    await code.page.mouse.up();
    await code.page.keyboard.up('Control');
    await code.quickInput.locator('.monaco-list-row', { hasText: 'Debug' }).waitFor();
    await code.screenshot('terminal-link-actions');
    await code.choose(`Transaction ${FAILED.slice(0, 6)}`, 'Analyze');
    await inspectorOf(FAILED);
    await code.screenshot('terminal-link-opened');
  });

  it('analyzes the transaction that is selected in the editor', async () => {
    await code.command('View: Close All Editors');
    await code.openFile('report.py');
    await inEditor(SWAP).dblclick();
    await code.command('Forklens: Analyze Selected Transaction');
    await inspectorOf(SWAP);
  });

  it('opens an analysis from an external link, after confirmation', async () => {
    await code.command('View: Close All Editors');
    await code.openUrl(`vscode://forklens.forklens/analyze?chain=sandbox&tx=${FAILED}`);
    await inspectorOf(FAILED);
  });

  it('refuses an invalid link, and shows the accepted format', async () => {
    await code.openUrl('vscode://forklens.forklens/analyze?chain=sandbox&tx=0x12');
    await code.toast('Tx is "0x12"; accepted: a transaction hash').waitFor();
    await code.screenshot('uri-refused');
  });
});
