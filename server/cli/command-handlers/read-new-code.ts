import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ApiClient } from '../../api/client';
import { ApiError } from '../../api/errors';
import type { RouteRequest } from '../../api/routes';
import { ArtifactError, readArtifactText } from '../../client/read-artifact';
import { UsageError } from '../errors/usage-error';
import { findArtifact } from './find-artifact';

type WrittenCode = RouteRequest<'checkUpgrade'>['body']['newCode'];

/**
 * Reads the artifact of the option `--code`. A service on this machine also learns its build output, so that it has lines for the code.
 * @param given a file, or a contract of the project's build output
 * @throws UsageError
 */
export async function readNewCode(client: ApiClient, given: string): Promise<WrittenCode> {
  const { file, folder } = await findArtifact(given);
  const code = await readCode(given, file);
  if (folder === undefined) return code;
  try {
    await client.call('addArtifactFolders', { body: { folders: [folder] } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error; // a service of others does not read files of this machine
  }
  return code;
}

async function readCode(given: string, file: string): Promise<WrittenCode> {
  try {
    const text = await readFile(file, 'utf8');
    // The service validates what the file contains.
    return readArtifactText(text, path.basename(file, '.json')) as WrittenCode;
  } catch (error) {
    if (error instanceof ArtifactError) {
      throw new UsageError(`--code is ${JSON.stringify(given)}: ${error.message}`);
    }
    throw new UsageError(`--code cannot be read: ${(error as Error).message}`);
  }
}
