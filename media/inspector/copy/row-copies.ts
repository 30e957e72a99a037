import * as l10n from '@vscode/l10n';
import { isInternal } from '../model/internal-rows';
import { invocationAt, type CallTree } from '../model/tree-model';
import { rowSegments } from '../../../server/presentation/lines';
import { plainText, type Names } from '../../../server/presentation/segment';
import type { FlowRow } from '../protocol/protocol';
import { wholeCallData } from './call-data';
import { castCall } from './cast-call';

/** The row as one line: full addresses, plain numbers. @param lineOf how the text is made of its pieces */
export function rowAsText(row: FlowRow, names: Names, lineOf = plainText): string {
  const line = lineOf(rowSegments(row, names));
  if (row.nodeType === 1) return `EVENT ${line}`;
  const { operation, value, status, revertMessage, errorInfo } = row.invocation;
  const sent = value !== '' && value !== '0' ? ` {value: ${value}}` : '';
  return `${operation} ${line}${sent}${status ? '' : ` ✗ ${revertMessage || errorInfo}`}`;
}

/** The row with all its descendants, as indented text. */
export function branchAsText(tree: CallTree, index: number, names: Names): string {
  const base = tree.rows[index]?.depth ?? 0;
  return tree.rows
    .slice(index, tree.end[index])
    .map((row) => `${'  '.repeat(row.depth - base)}${rowAsText(row, names)}`)
    .join('\n');
}

export function rowAsJson(row: FlowRow): string {
  return JSON.stringify(row.nodeType === 0 ? row.invocation : row.event, null, 2);
}

/** A format to copy a row in. The text is built on demand, because call data can be megabytes. */
export interface RowCopy {
  title: string;
  text: () => string;
  /** Why the format is not available. */
  missing?: string;
}

/** @param blockNumber block of the transaction */
export function rowCopies(
  tree: CallTree,
  index: number,
  names: Names,
  blockNumber: number,
): RowCopy[] {
  const row = tree.rows[index];
  if (!row) return [];
  const copies: RowCopy[] = [
    { title: l10n.t('Copy as Text'), text: () => rowAsText(row, names) },
    { title: l10n.t('Copy with All Inside'), text: () => branchAsText(tree, index, names) },
    { title: l10n.t('Copy as JSON'), text: () => rowAsJson(row) },
  ];
  if (isInternal(row)) return copies;
  const call = invocationAt(tree, index);
  if (!call) return [...copies, { title: l10n.t('Copy Log Data'), text: () => logData(row) }];
  const cast = castCall(tree, index, blockNumber);
  return [
    ...copies,
    {
      title: call.operation.startsWith('CREATE')
        ? l10n.t('Copy Init Code')
        : l10n.t('Copy Call Data'),
      text: () => wholeCallData(call),
    },
    {
      title: l10n.t('Copy as cast call'),
      text: () => (cast.ok ? cast.command : ''),
      ...(!cast.ok && { missing: cast.why }),
    },
  ];
}

function logData(row: FlowRow): string {
  return row.nodeType === 1 ? row.event.logData : '';
}
