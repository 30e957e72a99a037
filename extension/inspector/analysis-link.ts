import * as vscode from 'vscode';
import type { Source } from '../../media/inspector/protocol/protocol';
import { EXTENSION_ID } from '../model/extension-id';

/** A link that opens the analysis in this kind of editor; undefined for a simulation, which only this window knows. */
export function analysisLink(source: Source): string | undefined {
  if (source.kind !== 'transaction') return undefined;
  const query = new URLSearchParams({ chain: source.chain, tx: source.transaction });
  return `${vscode.env.uriScheme}://${EXTENSION_ID}/analyze?${query.toString()}`;
}
