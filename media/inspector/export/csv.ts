import type { Table } from './tables';

const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * One cell by RFC 4180. Text of strangers that a spreadsheet would run as a formula (a token named `=…`) gets an apostrophe
 * in front, as spreadsheets do it.
 */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table as comma-separated values with a line of column names, by RFC 4180. */
export function csv({ columns, rows }: Table): string {
  return [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
