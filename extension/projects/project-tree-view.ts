import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../editor/emitter';
import type { ChangeListener } from '../service/change-listener';
import type { ChangeAudience } from '../account/follow-changes';
import type { Service, ServiceState } from '../model/service';
import type { Session } from '../account/session';
import { contextValue, displayOf } from './node-displays';
import type { ProjectTreeModel } from './project-tree-model';
import type { TreeNode } from '../model/tree-node';

/** Shows the tree in the activity bar view, and reloads it when its data may have changed. */
export class ProjectTreeView
  implements vscode.TreeDataProvider<TreeNode>, ChangeAudience, vscode.Disposable
{
  readonly #tree: ProjectTreeModel;
  readonly #changes = new vscode.EventEmitter<TreeNode | undefined>();
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #view: vscode.TreeView<TreeNode>;
  readonly #subscriptions: Disposable[];
  /** Root loads in progress: their results include changes that happen during the load. */
  #loadingRoots = 0;
  /** The service that the loads asked is gone, for example after a change of the settings. */
  #isStale = false;

  constructor(tree: ProjectTreeModel, service: Service, session: Session, changes: ChangeListener) {
    this.#tree = tree;
    this.#view = vscode.window.createTreeView('forklens.projects', {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    const reload = (): void => {
      if (this.#loadingRoots === 0) tree.reload();
      else this.#isStale ||= service.state.kind === 'stopped';
    };
    let serviceKind = service.state.kind;
    let sessionKind = session.state.kind;
    this.#subscriptions = [
      this.#view,
      this.#changes,
      tree.onDidChange((node) => {
        this.#changes.fire(node);
      }),
      service.onDidChangeState((state) => {
        this.#view.message = messageOf(state);
        if (state.kind !== serviceKind && reloads(state)) reload();
        serviceKind = state.kind;
      }),
      session.onDidChange((state) => {
        // Loading the tree signs in by itself: that needs no reload.
        if (state.kind !== sessionKind && sessionKind !== 'unknown') reload();
        sessionKind = state.kind;
      }),
      changes.onDidConnect(() => {
        tree.reload();
      }),
      changes.onDidChange((change) => {
        if (change.type !== 'analysis') void tree.apply(change);
      }),
    ];
  }

  get isShown(): boolean {
    return this.#view.visible;
  }

  get onDidChangeShown(): vscode.Event<unknown> {
    return this.#view.onDidChangeVisibility;
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (node !== undefined) return this.#tree.children(node);
    this.#loadingRoots++;
    try {
      return await this.#tree.children();
    } finally {
      this.#loadingRoots--;
      if (this.#isStale && this.#loadingRoots === 0) {
        this.#isStale = false;
        this.#tree.reload();
      }
    }
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node.kind === 'project' || node.kind === 'account' ? undefined : node.parent;
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const view = displayOf(node, Date.now());
    const item = new vscode.TreeItem(view.label, collapsibleState(view.collapsed));
    item.id = view.id;
    item.contextValue = contextValue(view, node.kind);
    if (view.description !== undefined) item.description = view.description;
    if (view.tooltip !== undefined) item.tooltip = new vscode.MarkdownString(view.tooltip);
    if (view.icon !== undefined) item.iconPath = themeIcon(view.icon);
    if (view.accessibilityLabel !== undefined) {
      item.accessibilityInformation = { label: view.accessibilityLabel };
    }
    if (view.command !== undefined) {
      const { id, title } = view.command;
      // The command of a placeholder node acts on its parent.
      const argument = node.kind === 'empty' || node.kind === 'error' ? node.parent : node;
      item.command = { command: id, title, arguments: [argument] };
    }
    return item;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

/** The tree is loaded when the service has started, and emptied when it is gone. */
function reloads({ kind }: ServiceState): boolean {
  return kind === 'running' || kind === 'stopped' || kind === 'failed' || kind === 'notConfigured';
}

/** An empty message takes no space. */
function messageOf(state: ServiceState): string {
  if (state.kind !== 'starting') return '';
  return state.attempt === 0 ? l10n.t('Starting the service…') : l10n.t('Restarting the service…');
}

function collapsibleState(collapsed: boolean | undefined): vscode.TreeItemCollapsibleState {
  if (collapsed === undefined) return vscode.TreeItemCollapsibleState.None;
  return collapsed
    ? vscode.TreeItemCollapsibleState.Collapsed
    : vscode.TreeItemCollapsibleState.Expanded;
}

function themeIcon({ id, color }: { id: string; color?: string }): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}
