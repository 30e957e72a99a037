import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');

/** @param file relative to the root of the repository */
export const documentText = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Cells of the rows of the table below a header row, without the header. */
export function tableBelow(text: string, header: string): string[][] {
  const rest = text.split(`${header}\n`)[1];
  if (rest === undefined) throw new Error(`no table with the header ${header}`);
  const lines = rest.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  const cells = (line: string): string[] =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
  return lines.slice(1, end === -1 ? undefined : end).map(cells);
}

/** The texts in back quotes of a cell. */
export const quoted = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text!);

/**
 * Compares the generated part of a document with what it should be; with UPDATE_GOLDENS=1 writes it.
 * @param name of the part: it stands between `<!-- NAME: made by … -->` and `<!-- end of NAME -->`
 */
export function checkGenerated(file: string, name: string, expected: string): void {
  const text = documentText(file);
  const found = new RegExp(`(<!-- ${name}: [^\\n]*-->)([^]*?)(<!-- end of ${name} -->)`).exec(text);
  if (found === null) throw new Error(`${file} has no part named ${name}`);
  const [whole, begin, written, end] = found as unknown as [string, string, string, string];
  if (process.env['UPDATE_GOLDENS'] !== undefined) {
    writeFileSync(
      join(ROOT, file),
      text.replace(whole, () => `${begin}\n\n${expected}\n\n${end}`),
    );
    return;
  }
  assert.equal(written.trim(), expected);
}

/** Wings and sides whose decisions have a record beside the code. */
const DECIDED = [
  'server/analysis',
  'server/chains',
  'server/composition',
  'server/chains/engine',
  'server/evm',
  'server/execution',
  'server/forks',
  'server/http',
  'server/kernel',
  'server/store',
  'server/team',
  'extension',
];

export const RECORDS: readonly string[] = DECIDED.map((folder) => `${folder}/DECISIONS.md`);

/** Every document for people in the repository. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'GLOSSARY.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'server/README.md',
  'server/CI.md',
  'server/CASES.md',
  'server/CLI.md',
  'server/CLUSTER.md',
  'server/CONFIGURATION.md',
  'server/FORKS.md',
  'server/HISTORY.md',
  'server/JSON-RPC.md',
  'server/LIMITS.md',
  'server/OPERATIONS.md',
  'server/REST.md',
  'server/deploy/BACKUP.md',
  'extension/README.md',
  'test/README.md',
  ...RECORDS,
];
