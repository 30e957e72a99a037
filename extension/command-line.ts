import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import * as vscode from 'vscode';
import { serviceDirectory } from './settings';

/**
 * Runs the command line that comes with the extension, and gives what it prints.
 * @param input for its standard input: secrets go there, as arguments are seen by everybody
 * @throws Error with its last words where it prints nothing
 */
export async function runCommandLine(
  extensionUri: vscode.Uri,
  args: readonly string[],
  input = '',
): Promise<string> {
  const cli = vscode.Uri.joinPath(extensionUri, 'dist', 'cli.js').fsPath;
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: serviceDirectory(),
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    windowsHide: true,
  });
  child.stdin.on('error', () => undefined); // it may end without reading
  child.stdin.end(input);
  const failed = new Promise<never>((_resolve, reject) => child.once('error', reject));
  const [output, errors] = await Promise.race([
    Promise.all([text(child.stdout), text(child.stderr)]),
    failed,
  ]);
  if (output === '') throw new Error(errors.trim() || 'the command line printed nothing');
  return output;
}
