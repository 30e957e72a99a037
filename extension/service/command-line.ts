import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import * as vscode from 'vscode';
import { serviceDirectory } from '../editor/settings';

/**
 * Runs the command line that is bundled with the extension, and returns its standard output.
 * @param options.input standard input; pass secrets here, because other users can see arguments
 * @param options.signal ends the process
 * @throws Error with the text of standard error if standard output is empty; the signal's reason
 */
export async function runCommandLine(
  extensionUri: vscode.Uri,
  args: readonly string[],
  { input = '', signal }: { input?: string; signal?: AbortSignal } = {},
): Promise<string> {
  const cli = vscode.Uri.joinPath(extensionUri, 'dist', 'cli.js').fsPath;
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: serviceDirectory(),
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    windowsHide: true,
    ...(signal && { signal }),
  });
  child.stdin.on('error', () => undefined); // it may exit without reading
  child.stdin.end(input);
  const failed = new Promise<never>((_resolve, reject) => child.once('error', reject));
  const [output, errors] = await Promise.race([
    Promise.all([text(child.stdout), text(child.stderr)]),
    failed,
  ]);
  if (output === '') throw new Error(errorIn(errors));
  return output;
}

const errorIn = (errors: string): string =>
  errors.trim().replace(/^error: /, '') || 'the command line printed nothing';
