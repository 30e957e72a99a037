import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { sandboxHash } from '../support/sandbox-hashes';
import { shortHash, useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const SWAP = sandboxHash('swap-two-hops');
const TRANSFER = `0xa9059cbb${BOB.slice(2).padStart(64, '0')}${'3e8'.padStart(64, '0')}`;
const OPEN = 'Hash, address, block';

describe('opening what was pasted', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;

  before(async () => {
    code = window();
    fs.writeFileSync(path.join(code.workbench.workspace, 'notes.txt'), `see ${SWAP} for more\n`);
    await code.showView();
    await code.row('default').waitFor();
  });

  const items = () => code.quickInput.locator('.monaco-list-row');
  const type = async (text: string): Promise<void> => {
    await code.command('Forklens: Open…');
    await code.quickInput.getByPlaceholder(OPEN).fill(text);
  };
  const editorText = async (): Promise<string> =>
    (await code.page.locator('.monaco-editor .view-lines').last().innerText()).replaceAll(
      '\u00a0',
      ' ',
    );

  it('says what is accepted', async () => {
    await type('hello');
    await items().filter({ hasText: 'This cannot be opened' }).waitFor();
    await items().filter({ hasText: 'Hash of a transaction or block' }).waitFor();
    await code.screenshot('open-refused');
    await code.page.keyboard.press('Escape');
  });

  it('analyzes the transaction of a link', async () => {
    await code.command('Forklens: Open…');
    await code.choose(OPEN, 'Analyze transaction', `https://explorer.example/tx/${SWAP}`);
    await code.page.getByRole('tab', { name: shortHash(SWAP) }).waitFor();
    await code.inspector().locator('.overview').waitFor();
  });

  it('starts with what is selected in the editor', async () => {
    await code.command('View: Close All Editors');
    await code.openFile('notes.txt');
    await code.page.locator('.view-line span', { hasText: SWAP }).last().dblclick();
    await code.command('Forklens: Open…');
    await items()
      .filter({ hasText: shortHash(SWAP) })
      .waitFor();
    assert.equal(await code.quickInput.locator('input.input').inputValue(), SWAP);
    await code.screenshot('open-selection');
    await code.page.keyboard.press('Enter');
    await code.inspector().locator('.overview').waitFor();
  });

  it('lists the transactions of a block, which it finds by its hash as well', async () => {
    await code.command('Forklens: Open…');
    await code.choose(OPEN, 'Show block', 'sandbox:8');
    await code.quickInput.getByPlaceholder('Transaction to analyze').waitFor();
    await code.quickInput.filter({ hasText: 'Block 8 of sandbox' }).waitFor();
    await items().first().waitFor();
    await code.screenshot('open-block');
    await code.page.keyboard.press('Escape');
  });

  it('shows what is known of an address', async () => {
    await code.command('Forklens: Open…');
    await code.choose(OPEN, 'Show address', ALICE);
    await code.choose('Chain or fork', 'sandbox');
    const page = code.inspector();
    await page.getByRole('heading', { name: 'alice', exact: true }).waitFor();
    await page
      .getByText(/^[\d,.]+ ETH$/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Fractal' }).first().click();
    await page.getByRole('heading', { name: 'Fractal', exact: true }).waitFor();
    await code.screenshot('open-address');
  });

  it('decodes call data in a document, and encodes it again after an edit', async () => {
    await code.command('View: Close All Editors');
    await code.command('Forklens: Open…');
    await code.choose(OPEN, 'Decode call data', TRANSFER);
    await code.page.locator('.codelens-decoration', { hasText: 'Simulate' }).waitFor();
    await code.screenshot('open-data');
    assert.match(await editorText(), /"signature": "transfer\(address/);
    await code.page.locator('.view-line span', { hasText: '1000' }).last().dblclick();
    await code.page.keyboard.type('2000');
    await code.page.getByText('Copy encoded').click();
    await code.page.locator('.statusbar-item', { hasText: 'Copied 0xa905…07d0' }).waitFor();
    assert.equal(await code.clipboard(), `${TRANSFER.slice(0, -3)}7d0`);
  });

  it('names the argument that cannot be encoded', async () => {
    await code.page.locator('.view-line span', { hasText: '2000' }).last().dblclick();
    await code.page.keyboard.type('many');
    await code.page.getByText('Copy encoded').click();
    await code.toast('is "many"; accepted:').waitFor();
    await code.screenshot('open-data-refused');
    await code.dismissToasts();
  });

  it('finds the transaction in a pasted command', async () => {
    await code.command('Forklens: Open…');
    const command = `cast run ${SWAP} --rpc-url http://127.0.0.1:8545`;
    await code.choose(OPEN, 'Analyze transaction', command);
    await code.page.getByRole('tab', { name: shortHash(SWAP) }).waitFor();
    await code.inspector().locator('.overview').waitFor();
    await code.screenshot('open-command');
  });

  it('remembers all of this in the view of recent analyses', async () => {
    await code.showPane('Recent');
    await code.row(shortHash(SWAP)).waitFor();
    await code.row('Today').waitFor();
    await code.screenshot('recent');
    await code.row(shortHash(SWAP)).hover();
    await code.row(shortHash(SWAP)).getByRole('button', { name: 'Pin' }).click();
    await code.row('Pinned').waitFor();
    await code.reload();
    await code.row('Pinned').waitFor();
    await code.row(shortHash(SWAP)).click();
    await code.inspector().locator('.overview').waitFor();
  });
});
