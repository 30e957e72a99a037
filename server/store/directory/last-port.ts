import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../kernel/files/replace-file';

const pathOf = (directory: string): string => join(directory, 'last-port');

/** Lower ports need privileges, and browsers block most of them. */
const MIN_PORT = 1_024;

/** The port of the last service on the data directory; undefined if there was none. */
export async function readLastPort(directory: string): Promise<number | undefined> {
  const text = await readFile(pathOf(directory), 'utf8').catch(() => '');
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= MIN_PORT && port <= 65_535 ? port : undefined;
}

/** Stores the port for the next start. */
export async function saveLastPort(directory: string, port: number): Promise<void> {
  await replaceFile(pathOf(directory), String(port), { mode: 0o600 });
}
