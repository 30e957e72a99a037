import { isOffered } from './system-tool';

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

/** setpriv of util-linux: the kernel kills the engine when its parent is gone. Busybox's has no such option. */
const hasParentDeathSignal = (): Promise<boolean> =>
  isOffered('setpriv', ['--pdeathsig', 'SIGKILL', 'true']);

/** How to start `file` so that it never outlives this process, whatever way this process ends. @throws ApiError outOfFiles */
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
