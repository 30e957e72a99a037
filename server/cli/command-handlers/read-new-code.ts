import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { RouteRequest } from '../../api/routes';
import { ArtifactError, readArtifactText } from '../../client/read-artifact';
import { UsageError } from '../errors/usage-error';

type WrittenCode = RouteRequest<'checkUpgrade'>['body']['newCode'];

/** Reads the artifact of the option `--code`. @throws UsageError */
export async function readNewCode(file: string): Promise<WrittenCode> {
  try {
    const text = await readFile(file, 'utf8');
    // The service validates what the file contains.
    return readArtifactText(text, path.basename(file, '.json')) as WrittenCode;
  } catch (error) {
    if (error instanceof ArtifactError) {
      throw new UsageError(`--code is ${JSON.stringify(file)}: ${error.message}`);
    }
    throw new UsageError(`--code cannot be read: ${(error as Error).message}`);
  }
}
