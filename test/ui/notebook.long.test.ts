import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { eventually } from '../support/eventually';
import { useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const NAME = 'incident.forklens-book';
/** A deadline for the workbench to write a file. */
const FILE_MS = 30_000;
const CELLS = `
# Incident

Alice pays Bob.

\`\`\`json forklens-rpc
{
  "method": "eth_sendTransaction",
  "params": [{ "from": "${ALICE}", "to": "${BOB}", "value": "0x2a" }]
}
\`\`\`

\`\`\`yaml forklens-analyze
last
view: balances
\`\`\`

\`\`\`json forklens-simulate
{ "from": "${ALICE}", "to": "${BOB}", "value": "7" }
\`\`\`
`;

describe('a notebook', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;
  let file: string;

  before(async () => {
    code = window();
    file = path.join(code.workbench.workspace, NAME);
    fs.writeFileSync(file, `---\nforklens-book: 1\nchain: sandbox\n---\n${CELLS}`);
    await code.showView();
    await code.forkSandbox('case');
  });

  /** The document with the outputs of the active notebook. */
  const outputs = (): FrameLocator => code.inspector();
  const analyses = () => outputs().locator('iframe[title="Analysis of a transaction"]');
  const runAll = () => code.command('Notebook: Run All');

  it('opens with an example, and runs it', async () => {
    await code.command('Forklens: New Notebook…');
    await code.choose('Chain or fork', 'case');
    await outputs().getByRole('heading', { name: 'What happened' }).waitFor();
    await runAll();
    await analyses().contentFrame().locator('.overview').waitFor();
    await code.screenshot('notebook-new');
    await code.command('View: Revert and Close Editor');
  });

  it('says on a chain that JSON-RPC cells need a fork, and is bound to one', async () => {
    await code.openFile(NAME);
    await outputs().getByRole('heading', { name: 'Incident' }).waitFor();
    await runAll();
    const message = 'JSON-RPC cells run on a fork, and the book is bound to the chain sandbox';
    await outputs().getByText(message).waitFor();
    await code.command('Forklens: Bind to Another Fork…');
    await code.choose('Chain or fork', 'case');
    // The workbench saves by itself.
    const head = /^---\nforklens-book: 1\nfork: fork_\w+\n---\n$/;
    await eventually(() => {
      const text = fs.readFileSync(file, 'utf8');
      assert.ok(text.endsWith(CELLS), text);
      assert.match(text.slice(0, -CELLS.length), head);
    }, FILE_MS);
    const place = code.page.locator('.cell-status-item', { hasText: /case · sandbox @ \d/ });
    await place.first().waitFor();
  });

  it('runs all cells in order, and shows analyses by the inspector', async () => {
    await runAll();
    const sent = analyses().first().contentFrame();
    await sent.getByRole('tab', { name: 'Balance changes', selected: true }).waitFor();
    await sent.getByText('0.000000000000000042').first().waitFor();
    await code.screenshot('notebook');
    await code.command('Notebook: Focus Last Cell');
    await analyses().nth(1).contentFrame().locator('.overview').waitFor();
  });

  it('follows the theme', async () => {
    const themes = [
      ['Default Light Modern', 'vs', 'vscode-light'],
      ['Default High Contrast', 'hc-black', 'vscode-high-contrast'],
      ['Default High Contrast Light', 'hc-light', 'vscode-high-contrast-light'],
      ['Default Dark Modern', 'vs-dark', 'vscode-dark'],
    ] as const;
    for (const [theme, workbench, body] of themes) {
      await code.setTheme(theme, workbench);
      await analyses().nth(1).contentFrame().locator(`body.${body}`).waitFor();
      await code.screenshot(`notebook-${workbench}`);
    }
  });

  it('opens an analysis in the inspector', async () => {
    await outputs().getByRole('button', { name: 'Open in Inspector' }).last().click();
    await code.page.locator('.tab.active', { hasText: 'simulation' }).waitFor();
    await code.inspector().locator('.overview').waitFor();
    await code.command('View: Close Editor');
  });

  it('is exported as a page that works without the editor, and as Markdown', async () => {
    await code.command('Forklens: Export As Report…');
    const place = await code.acceptPath('Export as Report', 'html');
    assert.equal(place, path.join(code.workbench.workspace, 'incident.html'));
    await eventually(() => {
      assert.ok(fs.existsSync(place));
    }, FILE_MS);
    const page = await code.page.context().newPage();
    await page.goto(`file://${place}`);
    await page.getByRole('heading', { name: 'Incident' }).waitFor();
    const analysis = page.locator('iframe').first().contentFrame();
    await analysis.getByRole('tab', { name: 'Balance changes', selected: true }).waitFor();
    await analysis.getByText('0.000000000000000042').first().waitFor();
    await page.screenshot({ path: 'test/output/screenshots/notebook-report.png' });
    await page.close();
    await code.command('Forklens: Export As Report…');
    const dialog = code.quickInput.filter({ hasText: 'Export as Report' });
    await dialog.locator('.monaco-list-row', { hasText: '..' }).waitFor();
    const report = path.join(code.workbench.workspace, 'incident.md');
    await dialog.locator('input.input').fill(report);
    await dialog.locator('input.input').press('Enter');
    const written = await eventually(() => fs.readFileSync(report, 'utf8'), FILE_MS);
    const text = written.replaceAll(/0x[0-9a-f]{64}/g, '<hash>');
    const [rpc = '', , simulated = ''] = CELLS.trim().split(/(?<=```\n)\n/);
    assert.ok(text.startsWith(`${rpc}\n\`\`\`json\n"<hash>"\n\`\`\`\n`), text);
    assert.ok(text.includes('\n### Succeeded: native transfer\n'), text);
    assert.ok(text.includes(simulated), text);
  });
});
