import * as vscode from 'vscode';
import type {
  FromComparison,
  FromWebview,
  SideId,
  Source,
  ToComparison,
} from '../../media/inspector/protocol';
import type { AnalysisChannel } from './analysis-worker';
import { showInspectorPage } from './inspector-page';
import type { InspectorOptions } from './inspector-panel';

const SIDES = ['left', 'right'] as const satisfies SideId[];

/** One webview panel on two analyses. It is the inspector's document, which is told to compare. */
export class ComparePanel {
  readonly #disposables: vscode.Disposable[] = [];
  readonly #channels: Record<SideId, AnalysisChannel>;
  #disposed = false;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly sources: Readonly<Record<SideId, Source>>,
    { extensionUri, worker }: Pick<InspectorOptions, 'extensionUri' | 'worker'>,
  ) {
    const open = (side: SideId): AnalysisChannel =>
      worker.open(sources[side], (message) => {
        this.#post({ type: 'side', side, message });
      });
    this.#channels = { left: open('left'), right: open('right') };
    this.#disposables.push(
      panel.webview.onDidReceiveMessage((message: FromWebview | FromComparison) => {
        void this.#receive(message);
      }),
      panel.onDidDispose(() => {
        this.#dispose();
      }),
    );
    showInspectorPage(panel, extensionUri);
  }

  reveal(): void {
    this.panel.reveal();
  }

  #post(message: ToComparison): void {
    if (!this.#disposed) void this.panel.webview.postMessage(message);
  }

  async #receive(message: FromWebview | FromComparison): Promise<void> {
    if (message.type === 'ready') this.#post({ type: 'compare', ...this.sources });
    else if (message.type === 'side') this.#channels[message.side].send(message.request);
    else if (message.type === 'copy') await vscode.env.clipboard.writeText(message.text);
  }

  #dispose(): void {
    this.#disposed = true;
    for (const side of SIDES) this.#channels[side].close();
    for (const disposable of this.#disposables) disposable.dispose();
  }
}
