import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { shortHex } from '../../server/client/format';
import type { CommandContext } from '../model/command-context';
import { UserCancelledError } from '../model/errors';
import { copyText } from '../ui/clipboard';
import { askCall } from './ask-call';
import { dataOfDocument, readDocument } from './data-document';
import { chooseDecoding } from './show-data';

/** Copies the data that a document's arguments encode to. @throws ApiError `invalidField` */
export async function copyData(uri: vscode.Uri): Promise<void> {
  const data = dataOfDocument((await open(uri)).getText());
  await copyText(data, shortHex(data));
}

/** @throws UserCancelledError, ApiError */
export async function simulateData(context: CommandContext, uri: vscode.Uri): Promise<void> {
  const text = (await open(uri)).getText();
  const { item } = readDocument(text);
  if (item.type === 'error') {
    void vscode.window.showWarningMessage(
      l10n.t('Revert data cannot be simulated: {0} is an error, not a function.', item.name),
    );
    throw new UserCancelledError();
  }
  const isPayable = /\bpayable\b/.test(text) || !/\b(view|pure)\b/.test(text);
  const data = dataOfDocument(text);
  const call = { title: item.name, data, ...(!isPayable && { value: '0' }) };
  context.inspector.openSimulation(await askCall(context, call));
}

/** Writes the document again, by another signature of its data. @throws UserCancelledError, ApiError */
export async function chooseSignature({ client }: CommandContext, uri: vscode.Uri): Promise<void> {
  const document = await open(uri);
  const text = await chooseDecoding(client, dataOfDocument(document.getText()));
  const edit = new vscode.WorkspaceEdit();
  const end = document.lineAt(document.lineCount - 1).range.end;
  edit.replace(uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  await vscode.workspace.applyEdit(edit);
}

const open = (uri: vscode.Uri): Thenable<vscode.TextDocument> =>
  vscode.workspace.openTextDocument(uri);
