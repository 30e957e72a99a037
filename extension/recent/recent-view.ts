import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../editor/emitter';
import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import type { RecentEntry } from '../model/recent';
import { recentKey, type RecentEntries } from './recent-entries';
import { recentGroups, type RecentGroup } from './recent-groups';

type RecentNode = { group: RecentGroup } | { entry: RecentEntry };

const ICONS = {
  transaction: 'search',
  simulation: 'play',
  comparison: 'diff',
  debugging: 'debug-alt',
} as const;

/** The view of what was opened. It needs no service. */
export class RecentView implements vscode.TreeDataProvider<RecentNode>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #subscriptions: Disposable[];

  constructor(private readonly recent: RecentEntries) {
    const view = vscode.window.createTreeView('forklens.recent', { treeDataProvider: this });
    const refresh = (): void => {
      if (view.visible) this.#changes.fire(undefined);
    };
    this.#subscriptions = [
      view,
      this.#changes,
      recent.onDidChange(refresh),
      view.onDidChangeVisibility(refresh),
    ];
  }

  commands({
    inspector,
  }: Pick<CommandContext, 'inspector'>): Pick<
    Commands,
    | 'forklens.openRecent'
    | 'forklens.pinRecent'
    | 'forklens.unpinRecent'
    | 'forklens.removeRecent'
    | 'forklens.clearRecent'
  > {
    return {
      'forklens.openRecent': async ({ entry: { subject } }) => {
        switch (subject.kind) {
          case 'transaction':
            await inspector.open(subject);
            return;
          case 'simulation':
            inspector.openSimulation(subject);
            return;
          case 'comparison':
            await vscode.commands.executeCommand('forklens.compareAnalyses', subject);
            return;
          case 'debugging':
            await vscode.commands.executeCommand('forklens.debugTransaction', subject.target);
        }
      },
      'forklens.pinRecent': ({ entry }) => {
        this.recent.pin(entry, true);
        return Promise.resolve();
      },
      'forklens.unpinRecent': ({ entry }) => {
        this.recent.pin(entry, false);
        return Promise.resolve();
      },
      'forklens.removeRecent': ({ entry }) => {
        this.recent.remove(entry);
        return Promise.resolve();
      },
      'forklens.clearRecent': () => {
        this.recent.clear();
        return Promise.resolve();
      },
    };
  }

  getChildren(node?: RecentNode): RecentNode[] {
    if (node === undefined) {
      return recentGroups(this.recent.list(), Date.now()).map((group) => ({ group }));
    }
    return 'group' in node ? node.group.entries.map((entry) => ({ entry })) : [];
  }

  getTreeItem(node: RecentNode): vscode.TreeItem {
    if ('group' in node) {
      const { id, label } = node.group;
      const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
      item.id = id;
      return item;
    }
    const { subject, title, time, pinned } = node.entry;
    const item = new vscode.TreeItem(title);
    item.id = recentKey(subject);
    item.description = `${chainOf(node.entry)} · ${clock(time)}`;
    item.iconPath = new vscode.ThemeIcon(ICONS[subject.kind]);
    item.contextValue = pinned === true ? 'recent pinned' : 'recent';
    item.command = { command: 'forklens.openRecent', title: l10n.t('Open'), arguments: [node] };
    return item;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

const clock = (time: number): string =>
  new Date(time).toLocaleTimeString(vscode.env.language, { hour: '2-digit', minute: '2-digit' });

function chainOf({ subject }: RecentEntry): string {
  const { chain } =
    subject.kind === 'comparison'
      ? subject.left
      : subject.kind === 'debugging'
        ? subject.target
        : subject;
  return chain.startsWith('fork_') ? l10n.t('fork') : chain;
}
