import * as l10n from '@vscode/l10n';
import { buildCallTree, failureOrigin } from '../call-tree/tree-model';
import { rowAsText } from '../copy/row-copies';
import type { Names } from '../grammar/segment';
import { fold, grouped, inert, utcTime } from '../grammar/text';
import { summarize, verdictOf, type Summary } from '../header/summary';
import type { FlowRow, Flow, Parts } from '../protocol';
import { markdownCode, markdownTable, markdownText } from './markdown';
import { balancesTable, eventsTable, pick, transfersTable } from './tables';

/** Levels of the call tree that a report shows; 0 is the top call. */
const REPORT_DEPTH = 6;
const LINE_LIMIT = 240;
/** A report is for reading: what is longer is told by its number. */
const ROW_LIMIT = 1000;

/** The analysis as far as it is there. */
export type Exported = Pick<Parts, 'flow'> & Partial<Parts>;

function headline(outcome: Summary['outcome'], method: string): string {
  switch (outcome) {
    case 'success':
      return l10n.t('Succeeded: {0}', method);
    case 'reverted':
      return l10n.t('Reverted: {0}', method);
    case 'failed':
      return l10n.t('Failed: {0}', method);
  }
}

function overview(flow: Flow, names: Names): string {
  const tree = buildCallTree(flow.rows);
  const { outcome, method, failure } = summarize(flow, tree, failureOrigin(tree));
  const { transaction } = flow;
  const { word, explanation } = verdictOf(flow);
  const party = (address: string): string => {
    const name = names(address);
    return name === undefined ? `\`${address}\`` : `${markdownText(name)} \`${address}\``;
  };
  const native = (amount: string): string =>
    amount === '' ? '' : `${amount} ${markdownText(transaction.nativeSymbol)}`;
  const facts: [string, string][] = [
    [l10n.t('Transaction'), transaction.hash === '' ? '' : `\`${transaction.hash}\``],
    [
      l10n.t('Chain'),
      l10n.t('{0} (chain id {1})', markdownText(transaction.chain), transaction.chainId),
    ],
    [l10n.t('Block'), l10n.t('{0}, position {1}', transaction.blockNumber, transaction.position)],
    [l10n.t('Time'), utcTime(transaction.timestamp)],
    [l10n.t('From'), party(transaction.from)],
    [l10n.t('To'), transaction.to === null ? l10n.t('new contract') : party(transaction.to)],
    [l10n.t('Value'), native(transaction.value)],
    [l10n.t('Fee'), native(transaction.fee)],
    [l10n.t('Gas used'), String(transaction.gasUsed)],
    [l10n.t('Trace'), `${word}. ${markdownText(explanation)}`],
  ];
  return [
    `# ${headline(outcome, markdownText(method))}`,
    ...(failure ? [l10n.t('**Why:** {0}', markdownText(failure.reason))] : []),
    facts.flatMap(([name, fact]) => (fact === '' ? [] : [`- ${name}: ${fact}`])).join('\n'),
  ].join('\n\n');
}

function callTree(rows: readonly FlowRow[], names: Names, depth: number): string {
  const shown = rows.filter((row) => row.depth <= depth);
  const lines = shown
    .slice(0, ROW_LIMIT)
    .map((row) => '  '.repeat(row.depth) + fold(inert(rowAsText(row, names)), LINE_LIMIT));
  const hidden = rows.length - lines.length;
  const code = markdownCode(lines.join('\n'));
  if (hidden === 0) return code;
  const note =
    hidden === 1
      ? l10n.t('1 more row: deeper than {0} levels, or beyond {1}.', depth, ROW_LIMIT)
      : l10n.t(
          '{2} more rows: deeper than {0} levels, or beyond {1}.',
          ...[depth, ROW_LIMIT, grouped(String(hidden))],
        );
  return `${code}\n\n${note}`;
}

function table(full: ReturnType<typeof balancesTable>): string {
  const hidden = full.rows.length - ROW_LIMIT;
  const shown = markdownTable({ ...full, rows: full.rows.slice(0, ROW_LIMIT) });
  if (hidden <= 0) return shown;
  const note =
    hidden === 1 ? l10n.t('1 more row.') : l10n.t('{0} more rows.', grouped(String(hidden)));
  return `${shown}\n\n${note}`;
}

/** The analysis as a Markdown document: overview, balance changes, transfers, call tree to a depth, events. */
export function report(
  { flow, balanceChange, fundFlow }: Exported,
  names: Names,
  depth = REPORT_DEPTH,
): string {
  const sections = [overview(flow, names)];
  const section = (title: string, body: string): void => {
    sections.push(`## ${title}\n\n${body}`);
  };
  if (balanceChange) {
    const all = balancesTable(balanceChange, names);
    const columns = ['account', 'accountName', 'asset', 'symbol', 'tokenId', 'change', 'usd'];
    const body = all.rows.length > 0 ? table(pick(all, ...columns)) : l10n.t('None.');
    section(l10n.t('Balance changes'), body);
  }
  if (fundFlow && fundFlow.fundFlow.length > 0) {
    const columns = ['order', 'from', 'fromName', 'to', 'toName', 'symbol', 'tokenId', 'amount'];
    section(l10n.t('Transfers'), table(pick(transfersTable(fundFlow, names), ...columns)));
  }
  section(l10n.t('Call tree'), callTree(flow.rows, names, depth));
  const events = eventsTable(flow.rows, names);
  if (events.rows.length > 0) {
    const columns = ['id', 'contract', 'contractName', 'event', 'arguments', 'reverted'];
    section(l10n.t('Events'), table(pick(events, ...columns)));
  }
  return `${sections.join('\n\n')}\n`;
}
