import { inert } from '../../../server/presentation/text';
import type { Table } from './tables';

/** Longer cells are folded. Other export formats contain the full values. */
const CELL_LIMIT = 200;

/** Escapes untrusted text, so that Markdown only displays it. @param limit characters of the text at the most */
export function markdownText(text: string, limit = CELL_LIMIT): string {
  const shown = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return inert(shown).replace(/[\\`*_{}[\]()<>#+!|~&$:@/=-]/g, '\\$&');
}

/** Hex is formatted as code, which needs no escapes. */
function cell(text: string): string {
  return /^0x[0-9a-f]+$/.test(text) && text.length <= CELL_LIMIT
    ? `\`${text}\``
    : markdownText(text).replace(/\\([-.+])/g, '$1');
}

/** A table in GitHub Flavored Markdown. Numeric columns are aligned right. */
export function markdownTable({ columns, rows }: Table): string {
  const isNumeric = columns.map((_, at) => rows.every((row) => /^-?[\d.]*$/.test(row[at] ?? '')));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(columns),
    line(isNumeric.map((numeric) => (numeric ? '---:' : '---'))),
    ...rows.map((row) => line(row.map(cell))),
  ].join('\n');
}

/** Preformatted text in a fence that its content cannot close. */
export function markdownCode(text: string, language = 'text'): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
}
