import * as vscode from 'vscode';
import { findSource } from '../build-output/find-source';
import type { Locate } from './adapter/sources';
import { SOURCE_SCHEME, sourcePath } from './source-uri';

/** The workspace's own file where it has the compiled text, else a document of the recording. */
export const locateSource: Locate = async ({ recording }, file) => {
  const own = await findSource(file.file);
  if (own !== undefined && (await textOf(own)) === file.content) {
    return own.scheme === 'file' ? own.fsPath : own.toString();
  }
  const path = sourcePath(recording, recording.contracts, file);
  return vscode.Uri.from({ scheme: SOURCE_SCHEME, path }).toString();
};

async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}
