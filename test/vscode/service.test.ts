import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestApi } from '../../extension/api';
import { activate, defaultProject, nextServiceState, servicePid } from './support';

describe('the bundled service under the extension', () => {
  let api: TestApi;

  before(async () => {
    api = await activate();
    await vscode.commands.executeCommand('forklens.startService');
  });

  it('runs, and is owned by this window', () => {
    const state = api.serviceState();
    assert.ok(state.kind === 'running');
    assert.match(state.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(state.ownership, 'owner');
  });

  it('serves the default project and the built-in chain', async () => {
    const node = await defaultProject(api);
    assert.match(node.project.projectId, /^project_[0-9a-f]{32}$/);
    const chains = await api.client.call('listChains', {});
    assert.ok(chains.some(({ slug, chainId }) => slug === 'sandbox' && chainId === 31337));
  });

  it('restarts after a crash, and keeps its projects', async () => {
    const before = await defaultProject(api);
    const pid = servicePid();
    const starting = nextServiceState(api, 'starting');
    const running = nextServiceState(api, 'running');
    process.kill(pid, 'SIGKILL');
    assert.deepEqual(await starting, { kind: 'starting', attempt: 1 });
    await running;
    assert.notEqual(servicePid(), pid);
    const { project } = await defaultProject(api);
    assert.deepEqual(project, before.project);
  });

  it('stays stopped after a manual stop, until a start is requested', async () => {
    await vscode.commands.executeCommand('forklens.stopService');
    assert.deepEqual(api.serviceState(), { kind: 'stopped' });
    assert.deepEqual(await api.children(), []);
    assert.deepEqual(api.serviceState(), { kind: 'stopped' });
    await vscode.commands.executeCommand('forklens.startService');
    assert.equal(api.serviceState().kind, 'running');
    await defaultProject(api);
  });
});
