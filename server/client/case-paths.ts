import { access, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep, basename } from 'node:path';
import { ApiError } from '../api/errors';

const EXTENSION = '.forklens';
/** Without the paths of the folders: the answers of tools name no paths of the machine. */
const ACCEPTED = `a path that ends with ${EXTENSION} in a folder that the tools work in`;

/**
 * Finds the case file that a model names. Links are followed, so that none leads out of the folders.
 * @param folders absolute paths: those that the model's user works in. A relative path is of the first one
 * @returns its absolute path
 * @throws ApiError `invalidField` for a path outside the folders, or of another kind of file
 */
export async function caseFileOf(given: string, folders: readonly string[]): Promise<string> {
  const [first] = folders;
  if (first === undefined) throw refusal(given, 'no file, since no folder is open');
  if (!given.endsWith(EXTENSION) || given.includes('\0')) throw refusal(given, ACCEPTED);
  const named = isAbsolute(given) ? given : resolve(first, given);
  const path = (await realpath(named).catch(() => undefined)) ?? (await inFolder(named));
  if (!path?.endsWith(EXTENSION)) throw refusal(given, ACCEPTED);
  for (const folder of folders) {
    const real = await realpath(folder).catch(() => folder);
    const below = relative(real, path);
    const isOutside = below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below);
    if (!isOutside) return path;
  }
  throw refusal(given, ACCEPTED);
}

/**
 * Finds where a model may write a case file.
 * @throws ApiError `invalidField` as `caseFileOf`, and for a file that exists
 */
export async function newCaseFileOf(given: string, folders: readonly string[]): Promise<string> {
  const path = await caseFileOf(given, folders);
  const isTaken = await access(path).then(
    () => true,
    () => false,
  );
  if (!isTaken) return path;
  const message = `file is ${JSON.stringify(given)}, which exists; accepted: the path of a new file`;
  throw new ApiError('invalidField', message);
}

/** A file that does not exist yet. @returns undefined if its folder does not exist either */
async function inFolder(path: string): Promise<string | undefined> {
  const folder = await realpath(dirname(path)).catch(() => undefined);
  return folder === undefined ? undefined : join(folder, basename(path));
}

const refusal = (given: string, accepted: string): ApiError =>
  new ApiError('invalidField', `file is ${JSON.stringify(given)}; accepted: ${accepted}`);
