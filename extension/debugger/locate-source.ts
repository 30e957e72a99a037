import * as vscode from 'vscode';
import { ownSource } from '../build-output/find-source';
import { recordedSourcePath, SOURCE_SCHEME } from '../source-documents/source-uri';
import type { Locate } from './adapter/sources';

/** The workspace's own file where it has the compiled text, else a document of the recording. */
export const locateSource: Locate = async ({ recording }, file) => {
  const own = await ownSource(file.file, file.content);
  if (own !== undefined) return own.scheme === 'file' ? own.fsPath : own.toString();
  const path = recordedSourcePath(recording, recording.contracts, file);
  return vscode.Uri.from({ scheme: SOURCE_SCHEME, path }).toString();
};
