import assert from 'node:assert/strict';
import * as vscode from 'vscode';

const EXTENSION_ID = 'forklens.forklens';

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

describe('the extension in the extension host', () => {
  it('activates', async () => {
    const extension = vscode.extensions.getExtension(EXTENSION_ID);
    assert.ok(extension, `${EXTENSION_ID} is not loaded`);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers exactly the commands that its manifest lists', async () => {
    const extension = vscode.extensions.getExtension(EXTENSION_ID)!;
    const listed = (extension.packageJSON as Manifest).contributes.commands.map(
      ({ command }) => command,
    );
    // Views bring commands of their own, such as `forklens.projects.focus`.
    const ofViews = /\.(focus|open|removeView|resetViewLocation|toggleVisibility)$/;
    const registered = (await vscode.commands.getCommands(true)).filter(
      (id) => id.startsWith('forklens.') && (listed.includes(id) || !ofViews.test(id)),
    );
    assert.deepEqual(registered.sort(), listed.sort());
  });
});
