import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { RpcReply } from '../../support/json-rpc';

interface Exchange {
  method: string;
  params: readonly unknown[];
  recorded: RpcReply;
}

/** A `.io` file: requests in order, with the recorded answers. */
export interface OfficialCase {
  name: string;
  /** From the folder's name; other methods prepare the state. */
  method: string;
  /** The standard does not specify the values. */
  isSchemaOnly: boolean;
  exchanges: readonly Exchange[];
}

/** @param folder `tests` of a checkout */
export async function loadCases(folder: string): Promise<OfficialCase[]> {
  const entries = await readdir(folder, { recursive: true });
  const files = entries.filter((entry) => entry.endsWith('.io')).sort();
  return Promise.all(
    files.map(async (file) => {
      const [method = ''] = file.split(/[\\/]/);
      const lines = (await readFile(join(folder, file), 'utf8')).split('\n');
      return {
        name: basename(file, '.io'),
        method,
        isSchemaOnly: lines.some((line) => /^\/\/\s*speconly/.test(line)),
        exchanges: exchangesOf(lines),
      };
    }),
  );
}

function exchangesOf(lines: readonly string[]): Exchange[] {
  const parsed = (prefix: string): unknown[] =>
    lines
      .filter((line) => line.startsWith(prefix))
      .map((line) => JSON.parse(line.slice(2)) as unknown);
  const requests = parsed('>>') as { method: string; params?: unknown[] }[];
  const replies = parsed('<<') as RpcReply[];
  return requests.map(({ method, params = [] }, i) => ({ method, params, recorded: replies[i]! }));
}
