import type { Table } from './tables';

const NUMBER = /^-?\d+(\.\d+)?$/;

/** One cell as of RFC 4180. An apostrophe precedes text that a spreadsheet would run as a formula, such as a token named `=…`. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table as comma-separated values with a header line, as of RFC 4180. */
export function csv({ columns, rows }: Table): string {
  return [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
