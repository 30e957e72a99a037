import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Label } from '../../server/api/labels';
import type { Disposable } from '../editor/emitter';
import type { Log } from '../editor/log';
import type { Service } from '../model/service';
import type { Session } from '../account/session';
import { shortHex } from '../../server/client/format';
import type { Labels } from './labels';

/** The view of the user's labels. It does not start the service and is empty while the service does not run. */
export class LabelsView implements vscode.TreeDataProvider<Label>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #subscriptions: Disposable[];

  constructor(
    private readonly labels: Labels,
    private readonly service: Pick<Service, 'state' | 'onDidChangeState'>,
    session: Pick<Session, 'onDidChange'>,
    private readonly log: Log,
  ) {
    const view = vscode.window.createTreeView('forklens.labels', { treeDataProvider: this });
    const refresh = (): void => {
      if (view.visible) this.#changes.fire(undefined);
    };
    this.#subscriptions = [
      view,
      this.#changes,
      labels.onDidChange(refresh),
      service.onDidChangeState(refresh),
      session.onDidChange(refresh),
      view.onDidChangeVisibility(refresh),
    ];
  }

  async getChildren(label?: Label): Promise<Label[]> {
    if (label !== undefined || this.service.state.kind !== 'running') return [];
    try {
      return await this.labels.list();
    } catch (error) {
      this.log.warn(`labels could not be loaded: ${String(error)}`);
      return [];
    }
  }

  getTreeItem({ address, chain, name }: Label): vscode.TreeItem {
    const item = new vscode.TreeItem(name);
    const where = chain ?? l10n.t('all chains');
    item.id = `${where} ${address}`;
    item.description = `${shortHex(address)}${chain === undefined ? '' : ` · ${chain}`}`;
    item.tooltip = `${name}\n${address}\n${l10n.t('on {0}', where)}`;
    item.iconPath = new vscode.ThemeIcon('tag');
    item.contextValue = 'label';
    item.accessibilityInformation = { label: `${name}, ${address}, ${where}` };
    return item;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
