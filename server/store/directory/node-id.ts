import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../kernel/files/replace-file';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The id of the node that uses the data directory, in `<data-dir>/node-id`. A restarted node has the leases of the one before at once; a
 * node with a new directory waits until they expire. The caller must hold the lock of the directory: no two nodes may have one id.
 */
export async function ensureNodeId(directory: string): Promise<string> {
  const path = join(directory, 'node-id');
  const found = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (UUID.test(found)) return found;
  const id = randomUUID();
  await replaceFile(path, `${id}\n`, { mode: 0o600 });
  return id;
}
