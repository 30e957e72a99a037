import * as vscode from 'vscode';
import type { Target } from '../../media/inspector/protocol';
import { InspectorPanel, type InspectorOptions } from './inspector-panel';
import { panelTitle, parseTarget, targetKey } from './target';

/** Also in the manifest: `onWebviewPanel:forklens.inspector` wakes the extension to restore panels. */
const INSPECTOR_VIEW_TYPE = 'forklens.inspector';

/** The open inspectors: one per transaction and chain, several side by side, restored after a reload of the window. */
export class InspectorPanels {
  readonly #panels = new Map<string, InspectorPanel>();

  constructor(private readonly options: InspectorOptions) {}

  /** Shows the transaction, in the panel that has it already if there is one. The analysis goes on after this resolves. */
  open(target: { chain: string; transaction: string; title?: string }): Promise<void> {
    const { chain, title } = target;
    const wanted: Target = { chain, transaction: target.transaction.toLowerCase() };
    const shown = this.#panels.get(targetKey(wanted));
    if (shown) {
      shown.reveal();
      return Promise.resolve();
    }
    const panel = vscode.window.createWebviewPanel(
      INSPECTOR_VIEW_TYPE,
      panelTitle(wanted, title),
      vscode.ViewColumn.Active,
    );
    this.#adopt(panel, wanted);
    return Promise.resolve();
  }

  /** Restores panels after a reload; the panels themselves end with the window. */
  register(): vscode.Disposable {
    return vscode.window.registerWebviewPanelSerializer(INSPECTOR_VIEW_TYPE, {
      deserializeWebviewPanel: (panel, state: unknown) => {
        const target = parseTarget(state);
        if (!target || this.#panels.has(targetKey(target))) panel.dispose();
        else this.#adopt(panel, target);
        return Promise.resolve();
      },
    });
  }

  #adopt(panel: vscode.WebviewPanel, target: Target): void {
    const key = targetKey(target);
    this.#panels.set(key, new InspectorPanel(panel, target, this.options));
    panel.onDidDispose(() => this.#panels.delete(key));
  }
}
