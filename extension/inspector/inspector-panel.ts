import * as vscode from 'vscode';
import type { FromWebview, Target, ToWebview } from '../../media/inspector/protocol';
import type { ApiClient } from '../client/api-client';
import { AnalysisLoader } from './analysis-loader';
import { explorerUrl } from './explorer-url';
import { inspectorHtml } from './inspector-html';
import { panelTitle, topMethod } from './target';

export interface InspectorOptions {
  extensionUri: vscode.Uri;
  client: ApiClient;
  log: { info(message: string): void; error(message: string): void };
}

/** One webview panel on one transaction, from its creation to its disposal. */
export class InspectorPanel {
  readonly #disposables: vscode.Disposable[] = [];
  #loader: AnalysisLoader;
  #disposed = false;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly target: Target,
    private readonly options: InspectorOptions,
  ) {
    const { webview } = panel;
    const dist = vscode.Uri.joinPath(options.extensionUri, 'dist');
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    const resource = (name: string): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
    this.#loader = this.#load();
    this.#disposables.push(
      webview.onDidReceiveMessage((message: FromWebview) => {
        this.#receive(message);
      }),
      panel.onDidDispose(() => {
        this.#dispose();
      }),
    );
    webview.html = inspectorHtml({
      cspSource: webview.cspSource,
      script: resource('inspector.js'),
      style: resource('inspector.css'),
    });
  }

  reveal(): void {
    this.panel.reveal();
  }

  #load(): AnalysisLoader {
    const loader = new AnalysisLoader(this.options.client, this.target);
    void loader.flow.then(({ outcome }) => {
      if (this.#disposed || loader !== this.#loader) return;
      const { chain, transaction } = this.target;
      if (outcome.ok) {
        const method = topMethod(outcome.value);
        if (method !== undefined) this.panel.title = panelTitle(this.target, method);
        this.options.log.info(`inspector: ${transaction} on ${chain} analyzed`);
      } else {
        this.options.log.error(
          `inspector: ${transaction} on ${chain}: ${outcome.failure.message} (code ${outcome.failure.code})`,
        );
      }
    });
    return loader;
  }

  #post(message: ToWebview): void {
    if (!this.#disposed) void this.panel.webview.postMessage(message);
  }

  #show(): void {
    const loader = this.#loader;
    this.#post({ type: 'loading', target: this.target });
    void loader.deliver((message) => {
      if (loader === this.#loader) this.#post(message);
    });
  }

  #receive(message: FromWebview): void {
    switch (message.type) {
      case 'ready':
        this.#show();
        return;
      case 'retry':
        this.#loader.cancel();
        this.#loader = this.#load();
        this.#show();
        return;
      case 'copy':
        void vscode.env.clipboard.writeText(message.text);
        return;
      case 'openExplorer':
        void this.#openExplorer(message.page);
        return;
    }
  }

  async #openExplorer(page: Extract<FromWebview, { type: 'openExplorer' }>['page']): Promise<void> {
    const base = await this.#loader.explorer;
    const url = base === undefined ? undefined : explorerUrl(base, page);
    if (url !== undefined) await vscode.env.openExternal(vscode.Uri.parse(url, true));
  }

  #dispose(): void {
    this.#disposed = true;
    this.#loader.cancel();
    for (const disposable of this.#disposables) disposable.dispose();
  }
}
