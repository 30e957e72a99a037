import { buildCallTree, failureOrigin } from '../call-tree/tree-model';
import { rowAsText } from '../copy/row-copies';
import type { Names } from '../grammar/segment';
import { fold, inert, plural, utcTime } from '../grammar/text';
import { summarize, verdictOf } from '../header/summary';
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

const OUTCOMES = { success: 'Succeeded', reverted: 'Reverted', failed: 'Failed' } as const;

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
    ['Transaction', transaction.hash === '' ? '' : `\`${transaction.hash}\``],
    ['Chain', `${markdownText(transaction.chain)} (chain id ${transaction.chainId})`],
    ['Block', `${transaction.blockNumber}, position ${transaction.position}`],
    ['Time', utcTime(transaction.timestamp)],
    ['From', party(transaction.from)],
    ['To', transaction.to === null ? 'new contract' : party(transaction.to)],
    ['Value', native(transaction.value)],
    ['Fee', native(transaction.fee)],
    ['Gas used', String(transaction.gasUsed)],
    ['Trace', `${word}. ${markdownText(explanation)}`],
  ];
  return [
    `# ${OUTCOMES[outcome]}: ${markdownText(method)}`,
    ...(failure ? [`**Why:** ${markdownText(failure.reason)}`] : []),
    facts.flatMap(([name, fact]) => (fact === '' ? [] : [`- ${name}: ${fact}`])).join('\n'),
  ].join('\n\n');
}

function callTree(rows: readonly FlowRow[], names: Names, depth: number): string {
  const shown = rows.filter((row) => row.depth <= depth);
  const lines = shown
    .slice(0, ROW_LIMIT)
    .map((row) => '  '.repeat(row.depth) + fold(inert(rowAsText(row, names)), LINE_LIMIT));
  const hidden = rows.length - lines.length;
  const note =
    hidden > 0
      ? `\n\n${plural(hidden, 'more row')}: deeper than ${depth} levels, or beyond ${ROW_LIMIT}.`
      : '';
  return `${markdownCode(lines.join('\n'))}${note}`;
}

function table(full: ReturnType<typeof balancesTable>): string {
  const hidden = full.rows.length - ROW_LIMIT;
  const shown = markdownTable({ ...full, rows: full.rows.slice(0, ROW_LIMIT) });
  return hidden > 0 ? `${shown}\n\n${plural(hidden, 'more row')}.` : shown;
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
    section('Balance changes', all.rows.length > 0 ? table(pick(all, ...columns)) : 'None.');
  }
  if (fundFlow && fundFlow.fundFlow.length > 0) {
    const columns = ['order', 'from', 'fromName', 'to', 'toName', 'symbol', 'tokenId', 'amount'];
    section('Transfers', table(pick(transfersTable(fundFlow, names), ...columns)));
  }
  section('Call tree', callTree(flow.rows, names, depth));
  const events = eventsTable(flow.rows, names);
  if (events.rows.length > 0) {
    const columns = ['id', 'contract', 'contractName', 'event', 'arguments', 'reverted'];
    section('Events', table(pick(events, ...columns)));
  }
  return `${sections.join('\n\n')}\n`;
}
