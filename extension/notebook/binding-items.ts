import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { BOOK_TYPE } from '../model/book-type';
import type { CommandId } from '../model/commands';
import { forkPoint } from '../model/fork-point';
import { networkOf } from '../../server/client/book/front-matter';
import { factsOf } from './book-data';
import { BoundForks } from './bound-fork';
import type { BookServices } from './notebook-bundle';

const REBIND: CommandId = 'forklens.bindNotebook';

/** Shows below each cell of code where it runs, because the editor does not show a book's front matter. */
export function registerBindingItems({
  client,
  service,
}: Pick<BookServices, 'client' | 'service'>): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const forks = new BoundForks(client, service);
  const update = (): void => {
    forks.forget();
    changed.fire();
  };
  return vscode.Disposable.from(
    changed,
    service.onDidChangeState(update),
    vscode.workspace.onDidChangeNotebookDocument(({ metadata }) => {
      if (metadata !== undefined) update();
    }),
    vscode.notebooks.registerNotebookCellStatusBarItemProvider(BOOK_TYPE, {
      onDidChangeCellStatusBarItems: changed.event,
      async provideCellStatusBarItems({ kind, notebook }) {
        if (kind === vscode.NotebookCellKind.Markup) return [];
        const { text, tooltip } = await placeOf(factsOf(notebook.metadata).head, forks);
        const { Right } = vscode.NotebookCellStatusBarAlignment;
        const item = new vscode.NotebookCellStatusBarItem(text, Right);
        item.command = REBIND;
        item.tooltip = tooltip;
        return [item];
      },
    }),
  );
}

async function placeOf(
  head: string,
  forks: BoundForks,
): Promise<{ text: string; tooltip: string }> {
  const tooltip = l10n.t('Bind the notebook to another fork');
  let network: string;
  try {
    network = networkOf(head);
  } catch {
    return { text: `$(warning) ${l10n.t('no fork')}`, tooltip };
  }
  if (!network.startsWith('fork_')) return { text: `$(link) ${network}`, tooltip };
  const fork = await forks.find(network);
  return {
    text: `$(repo-forked) ${fork ? `${fork.name} · ${forkPoint(fork)}` : shortId(network)}`,
    tooltip: `${network}\n${tooltip}`,
  };
}

const shortId = (forkId: string): string => `${forkId.slice(0, 9)}…${forkId.slice(-4)}`;
