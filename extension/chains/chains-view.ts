import * as vscode from 'vscode';
import type { Disposable } from '../editor/emitter';
import type { ApiClient } from '../model/api-client';
import type { Commands } from '../model/commands';
import type { Watches } from '../model/watch';
import type { Service } from '../model/service';
import type { ChainItem, ChainTree } from './chains-bundle';

/** Nodes are asked for new blocks in this rhythm, while the view is shown. */
const FOLLOW_MS = 20_000;

/** The view of chains and their blocks. It does not start the service. What it shows is in a bundle of its own. */
export class ChainsView implements vscode.TreeDataProvider<ChainItem>, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changes.event;
  readonly #view: vscode.TreeView<ChainItem>;
  readonly #subscriptions: Disposable[];
  readonly #expanded = new Set<string>();
  #tree: ChainTree | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly client: ApiClient,
    private readonly service: Pick<Service, 'state' | 'onDidChangeState'>,
    private readonly watches: Watches,
  ) {
    this.#view = vscode.window.createTreeView('forklens.chains', {
      treeDataProvider: this,
      showCollapseAll: true,
    });
    this.#subscriptions = [
      this.#view,
      this.#changes,
      watches.onDidChange(() => {
        this.#refresh();
      }),
      service.onDidChangeState(() => {
        this.#tree = undefined;
        this.#refresh();
        this.#follow();
      }),
      this.#view.onDidChangeVisibility(() => {
        this.#refresh();
        this.#follow();
      }),
      this.#view.onDidExpandElement(({ element: { node } }) => {
        if (node.kind === 'chain') this.#expanded.add(node.chain.slug);
      }),
      this.#view.onDidCollapseElement(({ element: { node } }) => {
        if (node.kind === 'chain') this.#expanded.delete(node.chain.slug);
      }),
    ];
  }

  commands(): Pick<Commands, 'forklens.refreshChains' | 'forklens.loadMoreOfChain'> {
    return {
      'forklens.refreshChains': () => {
        this.#tree?.forget();
        this.#refresh();
        return Promise.resolve();
      },
      'forklens.loadMoreOfChain': async ({ node }) => {
        if (node.kind === 'more') await this.#tree?.loadMore(node);
        this.#refresh();
      },
    };
  }

  async getChildren(item?: ChainItem): Promise<ChainItem[]> {
    if (this.service.state.kind !== 'running') return [];
    const bundle = await import('./chains-bundle');
    this.#tree ??= new bundle.ChainTree(
      this.client,
      () => {
        this.#refresh();
      },
      this.watches,
    );
    return (await this.#tree.children(item?.node)).map((node) => new bundle.ChainItem(node));
  }

  getTreeItem(item: ChainItem): vscode.TreeItem {
    return item;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #refresh(): void {
    if (this.#view.visible) this.#changes.fire(undefined);
  }

  /** Nothing is asked while the view is hidden. */
  #follow(): void {
    clearTimeout(this.#timer);
    if (!this.#view.visible || this.service.state.kind !== 'running') return;
    this.#timer = setTimeout(() => {
      void this.#ask();
    }, FOLLOW_MS);
  }

  async #ask(): Promise<void> {
    await this.#tree?.follow([...this.#expanded]);
    this.#refresh();
    this.#follow();
  }
}
