import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import type { TestApi } from '../../extension/api';
import { filesWith } from '../support/secret-search';
import { activate, dataDirectory, servicePid } from './support';

describe('the access key', () => {
  let api: TestApi;
  let key: string;

  before(async () => {
    api = await activate();
    await vscode.commands.executeCommand('forklens.copyAccessKey');
    key = await vscode.env.clipboard.readText();
  });

  it('is issued without user input, and accepted by the service', async () => {
    const state = api.serviceState();
    assert.ok(state.kind === 'running' && key.length >= 32);
    const response = await fetch(`${state.url}/v1/projects`, { headers: { 'Access-Key': key } });
    assert.equal(response.status, 200);
    assert.equal(api.sessionState().kind, 'signedIn');
  });

  it('is in no setting', () => {
    assert.equal(
      JSON.stringify(vscode.workspace.getConfiguration('forklens')).includes(key),
      false,
    );
  });

  it("is in none of the service's files, which contain only a hash of it", () => {
    assert.deepEqual(filesWith(dataDirectory(), key), []);
  });

  it('is not on the command line or in the environment of the service', function () {
    if (process.platform !== 'linux') this.skip();
    for (const name of ['cmdline', 'environ']) {
      const text = fs.readFileSync(`/proc/${servicePid()}/${name}`, 'utf8');
      assert.equal(text.includes(key), false, name);
    }
  });

  it('is discarded on sign-out, and issued again on sign-in', async () => {
    await vscode.commands.executeCommand('forklens.signOut');
    assert.deepEqual(api.sessionState(), { kind: 'signedOut' });
    assert.deepEqual(await api.children(), []);
    await vscode.commands.executeCommand('forklens.signIn');
    assert.equal(api.sessionState().kind, 'signedIn');
    assert.notDeepEqual(await api.children(), []);
  });
});
