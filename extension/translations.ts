import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Translations } from '../server/client/html';

// Texts are marked with `@vscode/l10n`, which files without an editor have, too. It gets the editor's translations here:
// the first import of the extension, so that texts which are constants of a module are translated as well.
if (vscode.l10n.bundle !== undefined) l10n.config({ contents: vscode.l10n.bundle });

/** The same for documents; undefined where texts are in English. */
export const translations: Translations | undefined = vscode.l10n.bundle && {
  language: vscode.env.language,
  texts: vscode.l10n.bundle,
};
