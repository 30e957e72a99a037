import type * as vscode from 'vscode';
import type {
  FromComparison,
  FromWebview,
  SideId,
  Source,
  ToComparison,
} from '../../media/inspector/protocol/protocol';
import { copyText } from '../ui/clipboard';
import type { AnalysisChannel } from './analysis-worker';
import { showInspectorPage } from './inspector-page';
import { comparisonTitle } from './source';
import { networkFactsOf, hostContextOf, type NetworkFacts } from './network-facts';
import { readComparisonMessage } from './read-webview-message';
import type { InspectorOptions } from './inspector-panel';

const SIDES = ['left', 'right'] as const satisfies SideId[];

/** One webview panel that compares two analyses. It loads the inspector's document and switches it to comparison. */
export class ComparePanel {
  readonly #disposables: vscode.Disposable[] = [];
  readonly #abort = new AbortController();
  readonly #channels: Record<SideId, AnalysisChannel>;
  readonly #networkFacts: Record<SideId, Promise<NetworkFacts>>;

  constructor(
    readonly panel: vscode.WebviewPanel,
    readonly sources: Readonly<Record<SideId, Source>>,
    { extensionUri, client, worker }: Pick<InspectorOptions, 'extensionUri' | 'client' | 'worker'>,
  ) {
    const open = (side: SideId): AnalysisChannel =>
      worker.open(sources[side], (message) => {
        this.#post({ type: 'side', side, message });
      });
    const factsOf = (side: SideId): Promise<NetworkFacts> =>
      networkFactsOf(client, sources[side].chain, this.#abort.signal);
    this.#networkFacts = { left: factsOf('left'), right: factsOf('right') };
    this.#channels = { left: open('left'), right: open('right') };
    this.#disposables.push(
      panel.webview.onDidReceiveMessage((posted: unknown) => {
        const message = readComparisonMessage(posted);
        if (message) void this.#receive(message);
      }),
      panel.onDidDispose(() => {
        this.#dispose();
      }),
    );
    showInspectorPage(panel, extensionUri);
    void this.#retitle();
  }

  reveal(): void {
    this.panel.reveal();
  }

  #post(message: ToComparison): void {
    if (!this.#abort.signal.aborted) void this.panel.webview.postMessage(message);
  }

  /** Shows the forks' names in the title once they are known. */
  async #retitle(): Promise<void> {
    const [left, right] = await Promise.all([this.#networkFacts.left, this.#networkFacts.right]);
    if (this.#abort.signal.aborted) return;
    const forkNames = { left: left.fork?.name, right: right.fork?.name };
    this.panel.title = comparisonTitle(this.sources, forkNames);
  }

  async #show(): Promise<void> {
    this.#post({ type: 'compare', ...this.sources });
    for (const side of SIDES) {
      const hostContext = hostContextOf(await this.#networkFacts[side], []);
      this.#post({ type: 'side', side, message: { type: 'hostContext', hostContext } });
    }
  }

  async #receive(message: FromWebview | FromComparison): Promise<void> {
    if (message.type === 'ready') await this.#show();
    else if (message.type === 'side') this.#channels[message.side].send(message.request);
    else if (message.type === 'copy') await copyText(message.text);
  }

  #dispose(): void {
    this.#abort.abort();
    for (const side of SIDES) this.#channels[side].close();
    for (const disposable of this.#disposables) disposable.dispose();
  }
}
