import * as l10n from '@vscode/l10n';
import { buildCallTree, failureOrigin } from '../model/tree-model';
import { rowAsText } from '../copy/row-copies';
import { reportText, type Names } from '../../../server/presentation/segment';
import { fold, grouped, inert, utcTime } from '../../../server/presentation/text';
import { summarize, type Summary } from '../model/summary';
import { verdictOf } from '../model/verdict';
import type { FlowRow, Flow, Parts } from '../protocol/protocol';
import { markdownCode, markdownTable, markdownText } from './markdown';
import { story } from './story';
import { balancesTable, pick, transfersTable, type Table } from './tables';

/** Number of the deepest call tree level in a report; 0 is the top call. */
const REPORT_DEPTH = 6;
const LINE_LIMIT = 1000;
const ADDRESS = /0x[0-9a-f]{40}(?![0-9a-f])/g;
/** Rows of a report's table or list; further rows are only counted. */
const ROW_LIMIT = 1000;

/** The loaded parts of the analysis. */
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

function overview({ flow, balanceChange }: Exported, names: Names): string {
  const tree = buildCallTree(flow.rows);
  const { outcome, method, failure } = summarize(flow, tree, failureOrigin(tree));
  const { transaction } = flow;
  const { word, explanation, warnings } = verdictOf(flow, balanceChange?.verification);
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
    [l10n.t('Fee'), native(transaction.fee) || feeInToken(transaction)],
    [l10n.t('Gas used'), String(transaction.gasUsed)],
    [l10n.t('Trace'), `${word}. ${markdownText(explanation)}`],
    ...warnings.map((text): [string, string] => [l10n.t('Warning'), markdownText(text)]),
  ];
  return [
    `# ${headline(outcome, markdownText(method))}`,
    ...(failure ? [l10n.t('**Why:** {0}', markdownText(failure.reason))] : []),
    facts.flatMap(([name, fact]) => (fact === '' ? [] : [`- ${name}: ${fact}`])).join('\n'),
  ].join('\n\n');
}

/** Empty for a fee in the native asset, or where the amount is not proved. */
function feeInToken({ tokenFee }: Flow['transaction']): string {
  if (tokenFee === undefined || tokenFee.rawAmount === '') return '';
  const { token, amount, rawAmount, symbol } = tokenFee;
  return `${amount || rawAmount} ${markdownText(symbol ?? token)}`;
}

/** The number by which other sections refer to a row. */
function numberOf(row: FlowRow, referred: ReadonlySet<number>): string {
  const id = row.nodeType === 1 ? row.event.id : row.invocation.id;
  return referred.has(id) ? `#${id} ` : '';
}

/** Marks a reverted row, unless its line already contains the failure. */
function line(row: FlowRow, { names, referred }: Rows): string {
  const [undone, failed] =
    row.nodeType === 1
      ? [row.event.revert, false]
      : [row.invocation.revert, !row.invocation.status];
  return (
    numberOf(row, referred) +
    inert(fold(rowAsText(row, names, reportText), LINE_LIMIT)) +
    (undone && !failed ? ' (rolled back)' : '')
  );
}

/** How rows are written. `referred`: nodes to which other sections refer. */
interface Rows {
  readonly names: Names;
  readonly referred: ReadonlySet<number>;
}

function callTree(rows: readonly FlowRow[], how: Rows, depth: number): string {
  const shown = rows.filter((row) => row.depth <= depth);
  const lines = shown.slice(0, ROW_LIMIT).map((row) => '  '.repeat(row.depth) + line(row, how));
  const hidden = rows.length - lines.length;
  const code = markdownCode(lines.join('\n'));
  if (hidden === 0) return code;
  const note =
    hidden === 1
      ? l10n.t('1 more row: deeper than {0} levels, or beyond {1}.', depth, ROW_LIMIT)
      : l10n.t(
          '{2} more rows: deeper than {0} levels, or beyond {1}.',
          depth,
          ROW_LIMIT,
          grouped(String(hidden)),
        );
  return `${code}\n\n${note}`;
}

/** Names of the addresses in the sections, which have full addresses or those of `named`. Labels of other addresses are not exported. */
function namesTable(
  text: string,
  { labels }: Flow,
  { names, named }: { names: Names; named: ReadonlySet<string> },
): Table {
  const found = new Set(named);
  for (const [address] of text.matchAll(ADDRESS)) found.add(address);
  return {
    columns: ['address', 'name'],
    rows: Object.keys(labels)
      .filter((address) => found.has(address))
      .map((address) => [address, names(address) ?? '']),
  };
}

/** A note about the number of omitted rows; empty if there are none. */
function noteOf(hidden: number): string {
  if (hidden <= 0) return '';
  const note =
    hidden === 1 ? l10n.t('1 more row.') : l10n.t('{0} more rows.', grouped(String(hidden)));
  return `\n\n${note}`;
}

function table(full: Table): string {
  const shown = markdownTable({ ...full, rows: full.rows.slice(0, ROW_LIMIT) });
  return shown + noteOf(full.rows.length - ROW_LIMIT);
}

/** All events, including those below the shown depth of the call tree; empty if there are none. */
function events(rows: readonly FlowRow[], how: Rows): string {
  const all = rows.filter(({ nodeType }) => nodeType === 1);
  if (all.length === 0) return '';
  const lines = all.slice(0, ROW_LIMIT).map((row) => line(row, how));
  return markdownCode(lines.join('\n')) + noteOf(all.length - ROW_LIMIT);
}

/** The analysis as a Markdown document: overview, what happened, balance changes, transfers, call tree to a depth, events, names. */
export function report(exported: Exported, names: Names, depth = REPORT_DEPTH): string {
  const { flow, balanceChange, fundFlow } = exported;
  const sections = [overview(exported, names)];
  const section = (title: string, body: string): void => {
    sections.push(`## ${title}\n\n${body}`);
  };
  const { text, named, referred } = story(flow, names);
  if (text !== '') section(l10n.t('What happened'), text);
  if (balanceChange) {
    const columns = ['account', 'accountName', 'asset', 'symbol', 'tokenId', 'change', 'usd'];
    const all = balancesTable(balanceChange, names, 'withUnits');
    const body =
      all.rows.length > 0 ? table(pick(all, ...columns, 'proof', 'claimed')) : l10n.t('None.');
    section(l10n.t('Balance changes'), body);
  }
  if (fundFlow && fundFlow.fundFlow.length > 0) {
    const columns = ['order', 'from', 'fromName', 'to', 'toName', 'symbol', 'tokenId', 'amount'];
    const all = transfersTable(fundFlow, names, 'withUnits');
    section(l10n.t('Transfers'), table(pick(all, ...columns, 'proof', 'measured')));
  }
  section(l10n.t('Call tree'), callTree(flow.rows, { names, referred }, depth));
  const logged = events(flow.rows, { names, referred });
  if (logged !== '') section(l10n.t('Events'), logged);
  const known = namesTable(sections.join('\n'), flow, { names, named });
  if (known.rows.length > 0) section(l10n.t('Names'), table(known));
  return `${sections.join('\n\n')}\n`;
}
