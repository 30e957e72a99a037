import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { systemLimit } from '../api/errors';

/** Where the tools of the system are: an engine does not get the user's PATH. */
export const SYSTEM_PATH = '/usr/bin:/bin';

const run = promisify(execFile);
const known = new Map<string, Promise<boolean>>();

/**
 * Whether a command of the system succeeds; it is run once.
 * @throws ApiError outOfFiles where there are no file descriptors to run it; it is run again later then
 */
export function isOffered(file: string, args: readonly string[]): Promise<boolean> {
  const command = [file, ...args].join(' ');
  let answer = known.get(command);
  if (!answer) {
    answer = run(file, args, { env: { PATH: SYSTEM_PATH } }).then(
      () => true,
      (error: unknown) => {
        const limit = systemLimit(error);
        if (!limit) return false;
        known.delete(command);
        throw limit;
      },
    );
    known.set(command, answer);
  }
  return answer;
}
