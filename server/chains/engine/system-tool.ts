import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { systemLimit } from '../../api/errors';

/** PATH of system tools: an engine does not get the user's PATH. */
export const SYSTEM_PATH = '/usr/bin:/bin';

const run = promisify(execFile);
const known = new Map<string, Promise<boolean>>();

/**
 * Whether a system command succeeds. The command is run once.
 * @throws ApiError outOfFiles if no file descriptors are left; the next call runs the command again
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
