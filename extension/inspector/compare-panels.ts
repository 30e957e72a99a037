import * as vscode from 'vscode';
import type { SideId, Source } from '../../media/inspector/protocol/protocol';
import { ComparePanel } from './compare-panel';
import type { InspectorOptions } from './inspector-panel';
import { comparisonTitle, parseSource, sourceKey } from './source';

/** Must equal the id in the manifest: `onWebviewPanel:forklens.comparison` activates the extension to restore panels. */
const COMPARISON_VIEW_TYPE = 'forklens.comparison';

type Sources = Readonly<Record<SideId, Source>>;

const keyOf = ({ left, right }: Sources): string => `${sourceKey(left)}\n${sourceKey(right)}`;

/** The sources in a webview's saved state; undefined for an invalid state. */
function parseSources(state: unknown): Sources | undefined {
  if (typeof state !== 'object' || state === null || !('left' in state && 'right' in state)) {
    return undefined;
  }
  const left = parseSource({ source: state.left });
  const right = parseSource({ source: state.right });
  return left && right && { left, right };
}

/** The open comparisons: one per pair of sources, restored after a window reload. */
export class ComparePanels {
  readonly #panels = new Map<string, ComparePanel>();

  constructor(
    private readonly options: Pick<InspectorOptions, 'extensionUri' | 'client' | 'worker'>,
  ) {}

  open(sources: Sources): void {
    const shown = this.#panels.get(keyOf(sources));
    if (shown) {
      shown.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      COMPARISON_VIEW_TYPE,
      comparisonTitle(sources),
      vscode.ViewColumn.Active,
    );
    this.#adopt(panel, sources);
  }

  /** The sides of the active panel. */
  active(): Sources | undefined {
    return [...this.#panels.values()].find(({ panel }) => panel.active)?.sources;
  }

  /** Restores panels after a reload. The editor disposes of the panels when the window closes. */
  register(): vscode.Disposable {
    return vscode.window.registerWebviewPanelSerializer(COMPARISON_VIEW_TYPE, {
      deserializeWebviewPanel: (panel, state: unknown) => {
        const sources = parseSources(state);
        if (!sources || this.#panels.has(keyOf(sources))) panel.dispose();
        else this.#adopt(panel, sources);
        return Promise.resolve();
      },
    });
  }

  #adopt(panel: vscode.WebviewPanel, sources: Sources): void {
    const key = keyOf(sources);
    this.#panels.set(key, new ComparePanel(panel, sources, this.options));
    panel.onDidDispose(() => this.#panels.delete(key));
  }
}
