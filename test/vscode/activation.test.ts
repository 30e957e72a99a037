import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activate, extensionUnderTest } from './support';

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

describe('the extension in the extension host', () => {
  it('activates without starting the service', async () => {
    const api = await activate();
    assert.equal(extensionUnderTest().isActive, true);
    assert.deepEqual(api.serviceState(), { kind: 'stopped' });
  });

  it('activates quickly', async function () {
    const { activationMs } = await activate();
    this.test!.title += `: ${activationMs.toFixed(1)} ms, of 50 on a quiet machine`;
    // Generous, because the machine may be busy: the limit ensures that activation starts and reads nothing.
    assert.ok(activationMs < 500, `${activationMs} ms`);
  });

  it('registers exactly the commands that its manifest lists', async () => {
    const { contributes } = extensionUnderTest().packageJSON as Manifest;
    const listed = contributes.commands.map(({ command }) => command);
    // The editor adds commands for the views themselves, such as `forklens.projects.focus`.
    const registered = (await vscode.commands.getCommands(true)).filter((id) =>
      /^forklens\.\w+$/.test(id),
    );
    assert.deepEqual(registered.sort(), listed.sort());
  });
});
