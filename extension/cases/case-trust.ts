import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { nameOf } from './case-files';

const AGREED = 'forklens.agreedCases';
/** The oldest answers are forgotten. */
const MOST_AGREED = 100;

/** Decides whether a case file may be opened. Its user is asked for files that are not of a trusted workspace folder. */
export class CaseTrust {
  constructor(private readonly memento: vscode.Memento) {}

  /** Asks at most once for a file, until it changes. */
  async allows(file: vscode.Uri): Promise<boolean> {
    if (vscode.workspace.isTrusted && vscode.workspace.getWorkspaceFolder(file)) return true;
    const key = await keyOf(file);
    if (this.#agreed.includes(key)) return true;
    const open = l10n.t('Open Case');
    const detail = l10n.t(
      'A case file holds one transaction with all that is read about it. Its hashes are checked. Opening it starts no program and no network request.\n\nIts names, labels and sources are those of its sender. Run "forklens verify" to execute the transaction again, and to check its proofs.',
    );
    const message = l10n.t('Open the case file "{0}" of a stranger?', nameOf(file));
    const chosen = await vscode.window.showWarningMessage(message, { modal: true, detail }, open);
    if (chosen !== open) return false;
    await this.#agree(key);
    return true;
  }

  /** For a file that this window wrote. */
  async add(file: vscode.Uri): Promise<void> {
    await this.#agree(await keyOf(file));
  }

  get #agreed(): readonly string[] {
    return this.memento.get<string[]>(AGREED, []);
  }

  async #agree(key: string): Promise<void> {
    const others = this.#agreed.filter((one) => one !== key);
    await this.memento.update(AGREED, [...others, key].slice(-MOST_AGREED));
  }
}

/** Names a file with its content, as far as its time and size tell it. */
async function keyOf(file: vscode.Uri): Promise<string> {
  const { mtime, size } = await vscode.workspace.fs.stat(file);
  return `${file.toString()} ${mtime} ${size}`;
}
