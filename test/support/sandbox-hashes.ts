import { readFileSync } from 'node:fs';
import path from 'node:path';

const file = path.join(__dirname, '../fixtures/sandbox/hashes.json');
/** Hashes by name. */
export const { transactions: sandboxTransactions } = JSON.parse(readFileSync(file, 'utf8')) as {
  transactions: Record<string, string>;
};

/** Hash of a transaction of the built-in chain, by its name in `npm run sandbox:list`. */
export function sandboxHash(name: string): string {
  const hash = sandboxTransactions[name];
  if (hash === undefined) throw new Error(`no such transaction in the sandbox: ${name}`);
  return hash;
}
