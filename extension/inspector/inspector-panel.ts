import * as vscode from 'vscode';
import {
  ACTIONS,
  type ExplorerPage,
  type FromWebview,
  type PartMessage,
  type ProofEnd,
  type Source,
  type ToWebview,
} from '../../media/inspector/protocol/protocol';
import type { Disposable } from '../editor/emitter';
import type { ApiClient } from '../model/api-client';
import { debuggedCallOf, type Debugging, type FirstStop } from '../model/debugging';
import type { ChangeTarget, StateWriterTarget } from '../model/targets';
import { copyText, showCopied } from '../ui/clipboard';
import { analysisLink } from './analysis-link';
import type { AnalysisChannel, AnalysisWorker } from './analysis-worker';
import { explorerUrl } from './explorer-url';
import { showInspectorPage } from './inspector-page';
import { openSource } from './open-source';
import { saveFile } from './save-file';
import { canRun, panelTitle, sourceText, subjectOf } from './source';
import { networkFactsOf, hostContextOf, type NetworkFacts } from './network-facts';
import { readWebviewMessage } from './read-webview-message';

export interface InspectorOptions {
  extensionUri: vscode.Uri;
  client: ApiClient;
  worker: AnalysisWorker;
  debugging: Debugging;
  log: { info(message: string): void; error(message: string): void };
}

const MESSAGE_MS = 8_000;

/** One webview panel that shows one analysis, from its creation to its disposal. */
export class InspectorPanel {
  readonly #disposables: Disposable[] = [];
  readonly #abort = new AbortController();
  readonly #channel: AnalysisChannel;
  readonly #networkFacts: Promise<NetworkFacts>;
  /** Names of the contracts that the analysis executes, once they are known. */
  contracts: readonly string[] = [];
  /** Block of the transaction, or the one that it is simulated in. */
  #block: number | undefined;
  /** Is selected as soon as the document has the calls. */
  #wantedNode: number | undefined;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    readonly source: Source,
    private readonly options: InspectorOptions,
    private readonly onContracts: () => void,
    private readonly isOfFile: boolean,
  ) {
    this.#channel = options.worker.open(source, (message) => {
      this.#follow(message);
      this.#post(message);
    });
    this.#networkFacts = networkFactsOf(options.client, source.chain, this.#abort.signal);
    this.#disposables.push(
      panel.webview.onDidReceiveMessage((posted: unknown) => {
        const message = readWebviewMessage(posted);
        if (message) void this.#receive(message);
        else options.log.error('inspector: a message that is not of the protocol was left out');
      }),
      options.debugging.onDidChange(() => {
        this.#showDebugger();
      }),
      panel.onDidDispose(() => {
        this.#dispose();
      }),
    );
    showInspectorPage(panel, options.extensionUri);
  }

  get isActive(): boolean {
    return this.panel.active;
  }

  get title(): string {
    return this.panel.title;
  }

  /** Shows the result of the proof of the panel's analysis. */
  showProof(end: ProofEnd): void {
    this.#post({ type: 'proved', end });
  }

  /** Notifies the document that the end of its proof may have been missed. */
  checkProof(): void {
    this.#post({ type: 'checkProof' });
  }

  /** Selects a call in the tree, as soon as the document has it. */
  showNode(node: number): void {
    if (this.#block === undefined) this.#wantedNode = node;
    else this.#post({ type: 'showNode', node });
  }

  reveal(): void {
    this.panel.reveal();
  }

  close(): void {
    this.panel.dispose();
  }

  #post(message: ToWebview): void {
    if (!this.#abort.signal.aborted) void this.panel.webview.postMessage(message);
  }

  /** Logs how the analysis ended, and notes its contracts. */
  #follow(message: PartMessage): void {
    if (message.type === 'head' && message.part === 'sourceLocations') {
      this.contracts = message.head.contracts;
      this.onContracts();
    }
    if (message.part !== 'flow') return;
    const { log } = this.options;
    if (message.type === 'head') {
      this.#block = message.head.transaction.blockNumber;
      log.info(`inspector: ${sourceText(this.source)}: analyzed`);
      if (this.#wantedNode !== undefined) this.#post({ type: 'showNode', node: this.#wantedNode });
      this.#wantedNode = undefined;
    } else if (message.type === 'failed') {
      const { code, message: reason } = message.failure;
      log.error(`inspector: ${sourceText(this.source)}: ${reason} (code ${code})`);
    }
  }

  get #place(): { chain: string; block: number | undefined } {
    return { chain: this.source.chain, block: this.#block };
  }

  /** The panel of a file keeps the file's name. */
  async #retitle(method?: string): Promise<void> {
    if (this.isOfFile) return;
    const { fork } = await this.#networkFacts;
    if (this.#abort.signal.aborted) return;
    this.panel.title = panelTitle(this.source, { method, forkName: fork?.name });
  }

  async #show(): Promise<void> {
    this.#post({ type: 'open', source: this.source });
    const networkFacts = await this.#networkFacts;
    const known = new Set(await vscode.commands.getCommands(true));
    const actions = ACTIONS.filter(
      (action) => canRun(action, this.source) && known.has(`forklens.${action}`),
    );
    const link = analysisLink(this.source);
    const hostContext = {
      ...hostContextOf(networkFacts, actions),
      canAskPast: true,
      ...(link !== undefined && { link }),
    };
    this.#post({ type: 'hostContext', hostContext });
    this.#showDebugger();
    // The document may have sent a better title already, now or before a reload.
    if (this.panel.title === panelTitle(this.source)) await this.#retitle();
  }

  #showDebugger(): void {
    const call = debuggedCallOf(this.options.debugging, subjectOf(this.source));
    this.#post({
      type: 'debugger',
      place: call && { node: call.node, internalCalls: call.internalCalls },
    });
  }

  /** A row without code cannot be gone to: a click on it is no error to confirm. */
  async #moveDebugger(to: FirstStop): Promise<void> {
    try {
      await this.options.debugging.move(subjectOf(this.source), to, this.panel);
    } catch (error) {
      // The panel was closed before it got the focus back.
      if (this.#abort.signal.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      vscode.window.setStatusBarMessage(reason, MESSAGE_MS);
      this.#showDebugger();
    }
  }

  async #receive(message: FromWebview): Promise<void> {
    switch (message.type) {
      case 'ready':
        await this.#show();
        return;
      case 'load':
      case 'reload':
      case 'cancel':
      case 'taken':
        this.#channel.send(message);
        return;
      case 'title':
        await this.#retitle(message.method);
        return;
      case 'copy':
        await copyText(message.text);
        return;
      case 'copied':
        showCopied();
        return;
      case 'save':
        await saveFile(message.name, Buffer.from(message.content, message.encoding ?? 'utf8'));
        return;
      case 'openSource':
        await openSource(message.place, this.#place, this.panel.viewColumn);
        return;
      case 'savePage':
        await (await import('./save-page')).savePage(this.options.extensionUri, message);
        return;
      case 'openExplorer':
        await this.#openExplorer(message.page);
        return;
      case 'openTransaction': {
        const target = { chain: this.source.chain, transaction: message.transaction };
        await vscode.commands.executeCommand('forklens.openTransaction', target);
        return;
      }
      case 'whenChanged': {
        const { expression, contract } = message;
        const target: ChangeTarget = { chain: this.source.chain, expression };
        if (contract !== undefined) target.contract = contract;
        if (this.#block !== undefined) target.to = this.#block;
        await vscode.commands.executeCommand('forklens.whenDidThisChange', target);
        return;
      }
      case 'moveDebugger':
        await this.#moveDebugger(message.to);
        return;
      case 'debug': {
        const target = {
          ...subjectOf(this.source),
          stopAt: message.from,
          panel: this.panel,
        };
        await vscode.commands.executeCommand('forklens.debugTransaction', target);
        return;
      }
      case 'goToWriter': {
        const target: StateWriterTarget = {
          source: this.source,
          part: message.written,
          panel: this.panel,
          showNode: (node) => {
            this.showNode(node);
          },
        };
        await vscode.commands.executeCommand('forklens.goToStateWriter', target);
        return;
      }
      case 'run': {
        // Commands ignore the source's `kind`.
        await vscode.commands.executeCommand(`forklens.${message.action}`, this.source);
        return;
      }
    }
  }

  async #openExplorer(page: ExplorerPage): Promise<void> {
    const { explorer } = await this.#networkFacts;
    const url = explorer === undefined ? undefined : explorerUrl(explorer, page);
    if (url !== undefined) await vscode.env.openExternal(vscode.Uri.parse(url, true));
  }

  #dispose(): void {
    this.#abort.abort();
    this.#channel.close();
    for (const disposable of this.#disposables) disposable.dispose();
  }
}
