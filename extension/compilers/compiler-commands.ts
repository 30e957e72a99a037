import type * as vscode from 'vscode';
import type { Commands } from '../model/commands';

export const compilerCommands = (
  extensionUri: vscode.Uri,
): Pick<Commands, 'forklens.installCompiler'> => ({
  'forklens.installCompiler': async (version) => {
    const { installCompiler } = await import('./install-compiler');
    await installCompiler(extensionUri, version);
  },
});
