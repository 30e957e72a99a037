import * as vscode from 'vscode';
import type { Simulation, Source } from '../../media/inspector/protocol/protocol';
import type { ChangeListener } from '../service/change-listener';
import type { ChangeAudience } from '../account/follow-changes';
import { Emitter } from '../editor/emitter';
import { InspectorPanel, type InspectorOptions } from './inspector-panel';
import type { OpenedTransaction } from '../model/targets';
import { panelTitle, parseSource, sourceKey } from './source';

/** Must equal the id in the manifest: `onWebviewPanel:forklens.inspector` activates the extension to restore panels. */
const INSPECTOR_VIEW_TYPE = 'forklens.inspector';

/** The open inspectors: one per source, restored after a window reload. */
export class InspectorPanels implements ChangeAudience {
  readonly #panels = new Map<string, InspectorPanel>();
  readonly #shown = new Emitter<undefined>();
  readonly onDidChangeShown = this.#shown.event;

  constructor(private readonly options: InspectorOptions) {}

  /**
   * Shows the transaction, in its existing panel if there is one. The analysis continues after this resolves.
   * @param target `title` is the method's name, if already known
   */
  open(target: OpenedTransaction): Promise<void> {
    const { chain, title, node } = target;
    const transaction = target.transaction.toLowerCase();
    const shown = this.#show({ kind: 'transaction', chain, transaction }, title);
    if (node !== undefined) shown.showNode(node);
    return Promise.resolve();
  }

  /** Shows the effects of a transaction that was not sent. */
  openSimulation({ chain, request, title }: Simulation): void {
    this.#show({ kind: 'simulation', chain, request, ...(title !== undefined && { title }) });
  }

  /** Shows a source in the panel of a file's editor, which keeps its title. An inspector of the same source is closed. */
  adopt(panel: vscode.WebviewPanel, source: Source): void {
    this.#panels.get(sourceKey(source))?.close();
    this.#adopt(panel, source, true);
  }

  /** Sources of the open inspectors, with the titles of their tabs. */
  shown(): { source: Source; title: string }[] {
    return [...this.#panels.values()].map(({ source, title }) => ({ source, title }));
  }

  /** The transaction of the active panel. */
  active(): { chain: string; transaction: string } | undefined {
    const source = this.activeSource();
    return source?.kind === 'transaction' ? source : undefined;
  }

  activeSource(): Source | undefined {
    return [...this.#panels.values()].find(({ isActive }) => isActive)?.source;
  }

  /** Transactions of the open inspectors. */
  shownTransactions(): { chain: string; transaction: string; title: string }[] {
    return this.shown().flatMap(({ source, title }) =>
      source.kind === 'transaction'
        ? { chain: source.chain, transaction: source.transaction, title }
        : [],
    );
  }

  /** Names of the contracts that the open inspectors' analyses execute. */
  get contracts(): ReadonlySet<string> {
    return new Set([...this.#panels.values()].flatMap(({ contracts }) => contracts));
  }

  get isShown(): boolean {
    return this.#panels.size > 0;
  }

  /** Forwards changes of proofs to the panels that show the analyses. */
  follow({
    onDidConnect,
    onDidChange,
  }: Pick<ChangeListener, 'onDidConnect' | 'onDidChange'>): vscode.Disposable {
    return vscode.Disposable.from(
      onDidConnect(() => {
        for (const panel of this.#panels.values()) panel.checkProof();
      }),
      onDidChange((change) => {
        if (change.type !== 'analysis') return;
        const { chain, hash, level, reason, corrected } = change;
        const source = { kind: 'transaction', chain, transaction: hash } as const;
        this.#panels.get(sourceKey(source))?.showProof({ level, reason, corrected });
      }),
    );
  }

  /** Restores panels after a reload. The editor disposes of the panels when the window closes. */
  register(): vscode.Disposable {
    return vscode.window.registerWebviewPanelSerializer(INSPECTOR_VIEW_TYPE, {
      deserializeWebviewPanel: (panel, state: unknown) => {
        const source = parseSource(state);
        if (!source || this.#panels.has(sourceKey(source))) panel.dispose();
        else this.#adopt(panel, source);
        return Promise.resolve();
      },
    });
  }

  #show(source: Source, method?: string): InspectorPanel {
    const shown = this.#panels.get(sourceKey(source));
    if (shown) {
      shown.reveal();
      return shown;
    }
    const panel = vscode.window.createWebviewPanel(
      INSPECTOR_VIEW_TYPE,
      panelTitle(source, { method }),
      vscode.ViewColumn.Active,
    );
    return this.#adopt(panel, source);
  }

  #adopt(panel: vscode.WebviewPanel, source: Source, isOfFile = false): InspectorPanel {
    const key = sourceKey(source);
    const onContracts = (): void => {
      this.#shown.fire(undefined);
    };
    const shown = new InspectorPanel(panel, source, this.options, onContracts, isOfFile);
    this.#panels.set(key, shown);
    this.#shown.fire(undefined);
    panel.onDidDispose(() => {
      if (this.#panels.get(key) === shown) this.#panels.delete(key);
      this.#shown.fire(undefined);
    });
    return shown;
  }
}
