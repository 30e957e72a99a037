import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../model/commands';
import { networkOf } from './book/front-matter';
import { factsOf } from './book-data';

const REBIND: CommandId = 'forklens.bindNotebook';

/** Shows below each cell of code where it runs, because the editor does not show a book's front matter. */
export function registerBindingItems(): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeNotebookDocument(({ metadata }) => {
      if (metadata !== undefined) changed.fire();
    }),
    vscode.notebooks.registerNotebookCellStatusBarItemProvider('forklens-book', {
      onDidChangeCellStatusBarItems: changed.event,
      provideCellStatusBarItems({ kind, notebook }) {
        if (kind === vscode.NotebookCellKind.Markup) return [];
        const item = new vscode.NotebookCellStatusBarItem(
          textOf(factsOf(notebook.metadata).head),
          vscode.NotebookCellStatusBarAlignment.Right,
        );
        item.command = REBIND;
        item.tooltip = l10n.t('Bind the notebook to another fork');
        return [item];
      },
    }),
  );
}

function textOf(head: string): string {
  try {
    const network = networkOf(head);
    return network.startsWith('fork_')
      ? `$(repo-forked) ${network.slice(0, 9)}…${network.slice(-4)}`
      : `$(link) ${network}`;
  } catch {
    return `$(warning) ${l10n.t('no fork')}`;
  }
}
