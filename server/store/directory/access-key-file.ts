import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../../api/errors';
import { replaceFile } from '../../kernel/files/replace-file';

/** Label of the key in the file. */
const LABEL = 'access-key file';

/** Issues keys and checks them. */
export interface KeyIssuer {
  issueKey(label: string): Promise<string>;
  accepts(key: string): Promise<boolean>;
}

/**
 * Ensures that `<data-dir>/access-key` (mode 0600) contains a valid key. A valid key is kept.
 * @param nodeId of a node of several, each of which has a key: a new key replaces those with its label
 * @throws ApiError storageDamaged if the file cannot be read; no key is issued then
 */
export async function ensureAccessKeyFile(
  directory: string,
  issuer: KeyIssuer,
  nodeId?: string,
): Promise<void> {
  const path = join(directory, 'access-key');
  const found = await readFile(path, 'utf8').catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new ApiError(
      'storageDamaged',
      `the file ${path} cannot be read (${String(code)}): remove it, and the next start writes a new key there`,
    );
  });
  if (await issuer.accepts(found.trim())) return;
  const label = nodeId === undefined ? LABEL : `${LABEL} of node ${nodeId}`;
  await replaceFile(path, `${await issuer.issueKey(label)}\n`, { mode: 0o600 });
}
