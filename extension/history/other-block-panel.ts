import * as l10n from '@vscode/l10n';
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { BlockTransactions } from '../../server/api/chain-explorer';
import type { Fork } from '../../server/api/fork';
import type { OtherBlock } from '../../server/api/reorder';
import { forkOtherBlock } from '../../server/client/fork-other-block';
import { grouped } from '../../server/client/format';
import { otherBlockLines } from '../../server/client/other-block-lines';
import { NO_PAINT } from '../../server/client/paint';
import type { ApiClient } from '../model/api-client';
import { reportOf } from '../model/errors';
import { pickProject } from '../ui/pickers';
import { withProgress } from '../ui/progress';
import { enterText } from '../ui/quick-input';
import { askField, askInsertion } from './ask-transaction-fields';
import { BlockPlan, type Movement } from './block-plan';
import { listHtml, otherBlockHtml } from './other-block-html';

interface Shown {
  readonly client: ApiClient;
  /** Slug of a chain, or id of a fork. */
  readonly chain: string;
  /** Number. */
  readonly block: number;
  readonly page: BlockTransactions;
  readonly title: string;
}

/** What the document asks for. `id` names a transaction as `BlockPlan` does. */
interface Message {
  readonly do?: unknown;
  readonly id?: unknown;
  readonly before?: unknown;
  readonly movement?: unknown;
}

const MOVEMENTS: readonly Movement[] = ['up', 'down', 'first', 'last'];

/** The transactions of a block in the order that the user gives them, and what would have happened in it. */
export class OtherBlockPanel {
  readonly #plan: BlockPlan;
  #selected: number | undefined;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly shown: Shown,
  ) {
    this.#plan = new BlockPlan(shown.page.transactions.length);
  }

  show(): void {
    const { webview } = this.panel;
    // The panel ends its listeners.
    webview.onDidReceiveMessage(async (message: Message) => {
      try {
        await this.#receive(message);
      } catch (error) {
        const report = reportOf(error);
        if (report) await this.#post({ result: report.message });
      }
    });
    const nonce = randomBytes(16).toString('base64');
    webview.html = otherBlockHtml(this.shown.title, nonce, vscode.env.language);
  }

  async #receive({ do: action, id, before, movement }: Message): Promise<void> {
    const plan = this.#plan;
    const one = plan.order.find((known) => known === id);
    switch (action) {
      case 'execute':
        return this.#execute();
      case 'fork':
        return this.#fork();
      case 'select':
        this.#selected = one;
        return;
      case 'insert':
        this.#selected = plan.insert(await askInsertion(this.shown.title), this.#selected);
        break;
      case 'ready':
        break;
      default:
        if (one === undefined) return;
        if (action === 'place') this.#place(one, before);
        else if (action === 'toggle') plan.toggle(one);
        else if (action === 'change') await this.#change(one);
        else if (action === 'move') {
          const known = MOVEMENTS.find((name) => name === movement);
          if (known) plan.move(one, known);
        }
        this.#selected = one;
    }
    await this.#post({ list: listHtml(plan, this.shown.page), selected: this.#selected });
  }

  /** Before another transaction; at the end where there is none. */
  #place(one: number, before: unknown): void {
    if (before === one) return;
    const others = this.#plan.order.filter((other) => other !== one);
    const index = others.findIndex((other) => other === before);
    this.#plan.place(one, index < 0 ? others.length : index);
  }

  async #change(one: number): Promise<void> {
    if (this.#plan.insertionOf(one)) return;
    const title = l10n.t('Transaction {0}', one);
    const { field, value } = await askField(title, this.#plan.fieldsOf(one));
    this.#plan.set(one, field, value);
  }

  async #execute(): Promise<void> {
    const other = await this.#ask(false);
    await this.#post({ result: this.#textOf(other) });
  }

  async #fork(): Promise<void> {
    const { client, block, title } = this.shown;
    const { projectId } = await pickProject(client, title);
    const accepted = l10n.t('Enter a name');
    const name = await enterText({
      title,
      value: l10n.t('block {0}, otherwise', grouped(block)),
      prompt: l10n.t('Name of the fork'),
      validate: (text) => (text.trim() === '' ? accepted : undefined),
    });
    const other = await this.#ask(true);
    const fork = await withProgress(l10n.t('Creating fork "{0}"…', name), (signal) =>
      forkOtherBlock(client, { projectId, name, other }, { signal }),
    );
    await this.#post({ result: this.#textOf(other, fork) });
  }

  #ask(state: boolean): Promise<OtherBlock> {
    const { client, chain, block } = this.shown;
    const body = { block, changes: this.#plan.changes(), state };
    return withProgress(l10n.t('Executing block {0}…', grouped(block)), (signal, onProgress) =>
      client.call('reorder', { params: { chain }, body }, { signal, onProgress }),
    );
  }

  #textOf(other: OtherBlock, fork?: Fork): string {
    const { chain } = this.shown;
    return [...otherBlockLines(other, fork, { chain, colors: NO_PAINT })].join('\n');
  }

  async #post(message: { list?: string; selected?: number | undefined; result?: string }) {
    await this.panel.webview.postMessage(message);
  }
}
