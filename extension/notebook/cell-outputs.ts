import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { PageData } from '../../media/inspector/protocol/page-data';
import { translations } from '../editor/translations';
import type { ReportOutput } from './book/report-cells';
import type { Replays } from './replays';
import type { CellOutput } from './run-cell';
import type { ReplayLine } from './run-history-cell';

/** Must equal the type in the manifest. */
const ANALYSIS = 'application/vnd.forklens.analysis+json';
const REPLAY = 'application/vnd.forklens.replay+json';
const MARKDOWN = 'text/markdown';
const JSON_TEXT = 'text/x-json';
const ERROR = 'application/vnd.code.notebook.error';
const PLAIN = 'text/plain';
/** Characters of a JSON-RPC answer that an output shows. */
const MAX_ANSWER = 1_000_000;

/** What the renderer gets: the analysis, and texts that it shows around it. */
interface RenderedAnalysis {
  page: PageData;
  texts: { open: string; frame: string };
  /** Undefined: the texts are English. */
  translations?: typeof translations;
}

/** What the renderer gets of transactions that were executed with new code. */
interface RenderedReplay {
  /** Of `Replays`. */
  id: number;
  lines: readonly ReplayLine[];
  /** Title of the hashes, which are buttons. */
  compare: string;
}

const { NotebookCellOutputItem: Item } = vscode;

export function outputOf(output: CellOutput, replays: Replays): vscode.NotebookCellOutput {
  if (output.kind === 'analysis') {
    const rendered: RenderedAnalysis = {
      page: output.page,
      texts: {
        open: l10n.t('Open in Inspector'),
        frame: l10n.t('Analysis of a transaction'),
      },
      ...(translations && { translations }),
    };
    // Markdown for editors without the renderer, and for reports.
    const items = [Item.json(rendered, ANALYSIS), Item.text(output.report, MARKDOWN)];
    return new vscode.NotebookCellOutput(items);
  }
  if (output.kind === 'replay') {
    const { lines, replay } = output;
    const compare = l10n.t('Compare with what happened');
    const rendered: RenderedReplay = { id: replays.idOf(replay), lines, compare };
    const text = lines.map((line) => line.text).join('\n');
    return new vscode.NotebookCellOutput([Item.json(rendered, REPLAY), Item.text(text, PLAIN)]);
  }
  if (output.kind === 'text') {
    return new vscode.NotebookCellOutput([Item.text(output.text, PLAIN)]);
  }
  const answer = JSON.stringify(output.value ?? null, undefined, 2);
  if (answer.length <= MAX_ANSWER) {
    return new vscode.NotebookCellOutput([Item.text(answer, JSON_TEXT)]);
  }
  const note = l10n.t('The first {0} of {1} characters:', MAX_ANSWER, answer.length);
  const shown = `${note}\n${answer.slice(0, MAX_ANSWER)}`;
  return new vscode.NotebookCellOutput([Item.text(shown, PLAIN)]);
}

export const errorOutput = (message: string): vscode.NotebookCellOutput =>
  new vscode.NotebookCellOutput([
    // Without a stack, which would show files of the extension.
    Item.error({ name: '', message, stack: '' }),
  ]);

/** What an output shows, for a report; undefined for outputs that are not of a book. */
export function reportOutputOf({ items }: vscode.NotebookCellOutput): ReportOutput | undefined {
  const textOf = (mime: string): string | undefined => {
    const item = items.find((one) => one.mime === mime);
    return item && Buffer.from(item.data).toString('utf8');
  };
  const analysis = textOf(ANALYSIS);
  if (analysis !== undefined) {
    const { page } = JSON.parse(analysis) as RenderedAnalysis;
    return { kind: 'analysis', page, report: textOf(MARKDOWN) ?? '' };
  }
  const failed = textOf(ERROR);
  if (failed !== undefined) {
    return { kind: 'error', message: (JSON.parse(failed) as { message: string }).message };
  }
  const answer = textOf(JSON_TEXT);
  if (answer !== undefined) return { kind: 'json', text: answer };
  const text = textOf(PLAIN);
  return text === undefined ? undefined : { kind: 'text', text };
}
