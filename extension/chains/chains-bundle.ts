// Entry of a bundle of its own, which is loaded when the view of chains is first shown.
import '../editor/translations';
import * as vscode from 'vscode';
import { displayOf } from './chain-displays';
import type { ChainsNode } from '../model/chain-node';

export { ChainTree } from './chain-tree';

/** A node in the editor's tree. `chain` and `transaction` are there for the commands of its menu. */
export class ChainItem extends vscode.TreeItem {
  readonly chain?: string;
  readonly transaction?: string;

  constructor(readonly node: ChainsNode) {
    const shown = displayOf(node, Date.now());
    super(shown.label, stateOf(shown.collapsed));
    this.id = shown.id;
    this.contextValue = shown.context;
    const { icon, command } = shown;
    const color = icon.color === undefined ? undefined : new vscode.ThemeColor(icon.color);
    this.iconPath = new vscode.ThemeIcon(icon.id, color);
    if (shown.description !== undefined) this.description = shown.description;
    if (shown.tooltip !== undefined) this.tooltip = new vscode.MarkdownString(shown.tooltip);
    if (shown.accessibilityLabel !== undefined) {
      this.accessibilityInformation = { label: shown.accessibilityLabel };
    }
    if (command !== undefined) {
      const { id, title, argument } = command;
      this.command = { command: id, title, arguments: [argument] };
    }
    if (node.kind === 'watchTransaction') {
      this.chain = node.view.watch.chain;
      this.transaction = node.match.transaction.hash;
    }
    if (node.kind === 'blockTransaction' || node.kind === 'storyTransaction') {
      this.chain = node.chain;
      this.transaction = node.kind === 'blockTransaction' ? node.transaction.hash : node.entry.hash;
    }
  }
}

function stateOf(collapsed: boolean | undefined): vscode.TreeItemCollapsibleState {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  if (collapsed === undefined) return None;
  return collapsed ? Collapsed : Expanded;
}
