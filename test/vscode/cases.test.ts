import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { OpenCaseView } from '../../server/api/cases';
import type { TestApi } from '../../extension/api';
import { eventually } from '../support/eventually';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { activate } from './support';

const EDITOR = 'forklens.case';

describe('the editor of case files', () => {
  let api: TestApi;
  let folder: string;
  let file: string;
  let swap: string;

  before(async () => {
    api = await activate();
    folder = await makeTemporaryDirectory();
    file = path.join(folder, 'swap.forklens');
    const block = { chain: 'sandbox', block: '8' };
    const { transactions } = await api.client.call('listBlockTransactions', { params: block });
    swap = transactions[0]?.hash ?? '';
    const params = { chain: 'sandbox', transaction: swap };
    await api.client.call('createCase', { params, body: { file, prove: false } });
    // The user would be asked for a file outside of the workspace.
    const workspace = vscode.workspace.workspaceFolders?.[0];
    assert.ok(workspace);
    fs.copyFileSync(file, path.join(workspace.uri.fsPath, 'swap.forklens'));
    file = path.join(workspace.uri.fsPath, 'swap.forklens');
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const { chain } of await openCases()) {
      await api.client.call('closeCase', { params: { case: chain } });
    }
    fs.rmSync(file, { force: true });
    await removeDirectory(folder);
  });

  const openCases = (): Promise<OpenCaseView[]> => api.client.call('listCases', {});
  const tabs = (): vscode.Tab[] =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input }) => input instanceof vscode.TabInputCustom && input.viewType === EDITOR);

  it('is the one that a file opens with, and opens the case in the service', async () => {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file));
    await eventually(async () => {
      const open = await openCases();
      assert.deepEqual(
        open.map(({ transaction, ofChain }) => ({ transaction, ofChain })),
        [{ transaction: swap, ofChain: 'sandbox' }],
      );
    });
    assert.deepEqual(
      tabs().map(({ label }) => label),
      ['swap.forklens'],
    );
  });

  it('answers from the case under the name that the service gave it', async () => {
    const [open] = await openCases();
    assert.ok(open);
    const params = { chain: open.chain, transaction: swap };
    const { status } = await api.client.call('getInvocationFlow', { params });
    assert.equal(status, true);
  });

  it('opens nothing in the service for a file that is no case', async () => {
    const broken = path.join(path.dirname(file), 'broken.forklens');
    fs.writeFileSync(broken, 'forklens-case 1 nothing 5\n');
    const before = await openCases();
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(broken));
    await eventually(() => {
      // A preview gives way to the next one.
      const labels = tabs().map(({ label }) => label);
      assert.deepEqual(labels, ['broken.forklens']);
    });
    await assert.rejects(api.client.call('openCase', { body: { file: broken } }), {
      kind: 'caseRefused',
    });
    assert.deepEqual(await openCases(), before);
    fs.rmSync(broken);
  });
});
