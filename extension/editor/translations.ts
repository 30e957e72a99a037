import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Translations } from '../../server/client/html';

// Texts use `@vscode/l10n`, which also works in files that do not import the editor's API. It receives the editor's translations here.
// This must be the extension's first import, so that texts in module constants are translated as well.
if (vscode.l10n.bundle !== undefined) l10n.config({ contents: vscode.l10n.bundle });

/** The same translations for webview documents; undefined if the texts are English. */
export const translations: Translations | undefined = vscode.l10n.bundle && {
  language: vscode.env.language,
  texts: vscode.l10n.bundle,
};
