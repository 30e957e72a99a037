import * as vscode from 'vscode';
import type { Simulation, Source } from '../../media/inspector/protocol';
import type { ChangeListener } from '../client/change-listener';
import type { ChangeAudience } from '../client/follow-changes';
import { Emitter } from '../emitter';
import { InspectorPanel, type InspectorOptions } from './inspector-panel';
import { panelTitle, parseSource, sourceKey } from './source';

/** Also in the manifest: `onWebviewPanel:forklens.inspector` wakes the extension to restore panels. */
const INSPECTOR_VIEW_TYPE = 'forklens.inspector';

/** The open inspectors: one per source, several side by side, restored after a reload of the window. */
export class InspectorPanels implements ChangeAudience {
  readonly #panels = new Map<string, InspectorPanel>();
  readonly #shown = new Emitter<undefined>();
  readonly onDidChangeShown = this.#shown.event;

  constructor(private readonly options: InspectorOptions) {}

  /**
   * Shows the transaction, in the panel that has it already if there is one. The analysis goes on after this resolves.
   * @param target `title` is the method's name, where it is known already
   */
  open(target: { chain: string; transaction: string; title?: string }): Promise<void> {
    const { chain, title } = target;
    this.#show(
      { kind: 'transaction', chain, transaction: target.transaction.toLowerCase() },
      title,
    );
    return Promise.resolve();
  }

  /** Simulates an unsent transaction. */
  openSimulation({ chain, request, title }: Simulation): void {
    this.#show({ kind: 'simulation', chain, request, ...(title !== undefined && { title }) });
  }

  /** What the open inspectors show, with the titles of their tabs. */
  shown(): { source: Source; title: string }[] {
    return [...this.#panels.values()].map(({ source, title }) => ({ source, title }));
  }

  get isShown(): boolean {
    return this.#panels.size > 0;
  }

  /** Has the proofs of what is shown followed. */
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

  /** Restores panels after a reload; the panels themselves end with the window. */
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

  #show(source: Source, method?: string): void {
    const shown = this.#panels.get(sourceKey(source));
    if (shown) {
      shown.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      INSPECTOR_VIEW_TYPE,
      panelTitle(source, { method }),
      vscode.ViewColumn.Active,
    );
    this.#adopt(panel, source);
  }

  #adopt(panel: vscode.WebviewPanel, source: Source): void {
    const key = sourceKey(source);
    this.#panels.set(key, new InspectorPanel(panel, source, this.options));
    this.#shown.fire(undefined);
    panel.onDidDispose(() => {
      this.#panels.delete(key);
      this.#shown.fire(undefined);
    });
  }
}
