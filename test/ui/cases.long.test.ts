import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { sandboxHash } from '../support/sandbox-hashes';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { callTree } from './support/call-tree';
import { shortHash, useCodeWindow, WORKBENCH_MS, type CodeWindow } from './support/code-window';

const FAILED = sandboxHash('custom-error-three-deep');
const NAME = `transaction-${FAILED.slice(0, 10)}.forklens`;

describe('case files in the workbench', function () {
  this.timeout(WORKBENCH_MS);
  const window = useCodeWindow();
  let code: CodeWindow;
  let mail: string;
  let file: string;
  let expected: string[];

  before(async () => {
    mail = await makeTemporaryDirectory();
    code = window();
    await code.showView();
    await code.row('default').waitFor();
  });
  after(() => removeDirectory(mail));

  const tab = (name: string) => code.page.locator('.tab.active', { hasText: name });
  const question = () => code.dialog.filter({ hasText: 'of a stranger?' });
  const openFrom = async (place: string): Promise<void> => {
    await code.command('Forklens: Open Case…');
    await code.quickInput.filter({ hasText: 'Open Case' }).waitFor();
    // The dialog has read its folder, and then that of the path: an earlier answer would be lost.
    const rows = code.quickInput.locator('.monaco-list-row');
    await rows.filter({ hasText: '..' }).first().waitFor();
    await code.quickInput.locator('input.input').fill(place);
    await rows.filter({ hasText: path.basename(place) }).waitFor();
    await code.quickInput.getByRole('button', { name: 'Open Case' }).click();
  };

  it('are written from the menu of an inspector', async () => {
    expected = await callTree(await code.analyze(FAILED, 'sandbox'));
    await code.chooseAction('Save As Case…');
    await code.choose('Proofs of the state', 'Without proofs');
    file = await code.acceptPath('Save As Case', 'forklens');
    assert.equal(path.basename(file), NAME);
    await code.toast(`Wrote ${NAME}`).waitFor();
    await code.screenshot('case-written');
    assert.ok(fs.statSync(file).size > 1_000);
  });

  it('open in an inspector, without a question for those of a trusted folder', async () => {
    await code.dismissToasts();
    await code.command('View: Close All Editors');
    await code.openFile(NAME);
    await code
      .inspector()
      .locator('header', { hasText: shortHash(FAILED) })
      .waitFor();
    assert.deepEqual(await callTree(code.inspector()), expected);
    await code.screenshot('case-open');
  });

  it('are debugged from the failure', async () => {
    await code.inspector().getByRole('button', { name: 'Debug From the Failure' }).click();
    await code.page.locator('.debug-toolbar').waitFor();
    await code.page.locator('.monaco-editor .debug-top-stack-frame-line').first().waitFor();
    await code.screenshot('case-debugged');
    await code.command('Debug: Stop');
    await code.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  });

  it('ask before they open from elsewhere, and stay closed without consent', async () => {
    await code.command('View: Close All Editors');
    const sent = path.join(mail, 'exploit.forklens');
    fs.copyFileSync(file, sent);
    await openFrom(sent);
    await question().getByText('starts no program and no network request').waitFor();
    await code.screenshot('case-question');
    await question().getByRole('button', { name: 'Cancel' }).click();
    await question().waitFor({ state: 'detached' });
    await tab('exploit.forklens').waitFor({ state: 'detached' });
    await openFrom(sent);
    await question().getByRole('button', { name: 'Open Case' }).click();
    await tab('exploit.forklens').waitFor();
    await code
      .inspector()
      .locator('header', { hasText: shortHash(FAILED) })
      .waitFor();
  });

  it('say why they cannot be opened', async () => {
    const damaged = path.join(code.workbench.workspace, 'damaged.forklens');
    const bytes = fs.readFileSync(file);
    bytes[bytes.length - 20]! ^= 1;
    fs.writeFileSync(damaged, bytes);
    await code.openFile('damaged.forklens');
    const page = code.inspector();
    await page.getByRole('heading', { name: /"damaged\.forklens" cannot be opened/ }).waitFor();
    await code.screenshot('case-damaged');
    assert.match(await page.getByRole('alert').innerText(), /^The case file is refused: /);
  });

  it('are closed by a command', async () => {
    await code.command('View: Close All Editors');
    await code.command('Forklens: Close Case…');
    await code.choose('Open case', 'case-');
    await code.command('Forklens: Close Case…');
    await code.toast('No case is open.').waitFor();
  });
});
