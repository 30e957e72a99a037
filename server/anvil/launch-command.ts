import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A command line and what must stay open on its stdin. */
export interface LaunchCommand {
  file: string;
  args: string[];
  /** `pipe`: the process dies when the pipe is closed. */
  stdin: 'pipe' | 'ignore';
}

/** Becomes the engine after leaving a watcher behind, which kills it when stdin ends: also if this process is killed. */
const LIFELINE = `exec 3<&0
(exec 0<&3 3<&-; cat; kill -KILL $$) >/dev/null 2>&1 &
exec 3<&- </dev/null
exec "$@"`;

/** Where setpriv and the tools of the watcher are: the engine does not get the user's PATH. */
export const SYSTEM_PATH = '/usr/bin:/bin';

const run = promisify(execFile);
let parentDeathSignal: Promise<boolean> | undefined;

/** setpriv of util-linux: the kernel kills the engine when its parent is gone. Busybox's has no such option. */
const hasParentDeathSignal = (): Promise<boolean> =>
  (parentDeathSignal ??= run('setpriv', ['--pdeathsig', 'SIGKILL', 'true'], {
    env: { PATH: SYSTEM_PATH },
  }).then(
    () => true,
    () => false,
  ));

/** How to start `file` so that it never outlives this process, whatever way this process ends. */
export async function launchCommand(
  file: string,
  args: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Promise<LaunchCommand> {
  // Windows: libuv puts children into a job object that dies with the parent.
  if (platform === 'win32') return { file, args: [...args], stdin: 'ignore' };
  if (platform === 'linux' && (await hasParentDeathSignal())) {
    return { file: 'setpriv', args: ['--pdeathsig', 'SIGKILL', file, ...args], stdin: 'ignore' };
  }
  return { file: '/bin/sh', args: ['-c', LIFELINE, 'sh', file, ...args], stdin: 'pipe' };
}
