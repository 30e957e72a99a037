import { isOffered } from './system-tool';

/** A command line and its kind of stdin. */
export interface LaunchCommand {
  file: string;
  args: string[];
  /** `pipe`: the process is killed when the pipe is closed. */
  stdin: 'pipe' | 'ignore';
}

/** Starts a watcher and becomes the engine. The watcher kills the engine when stdin ends, which also happens if this process is killed. */
const LIFELINE = `exec 3<&0
(exec 0<&3 3<&-; cat; kill -KILL $$) >/dev/null 2>&1 &
exec 3<&- </dev/null
exec "$@"`;

/** setpriv of util-linux: the kernel kills the engine when its parent ends. Busybox's setpriv has no such option. */
const hasParentDeathSignal = (): Promise<boolean> =>
  isOffered('setpriv', ['--pdeathsig', 'SIGKILL', 'true']);

/** Command line that starts `file` so that it never outlives this process, however this process ends. @throws ApiError outOfFiles */
export async function launchCommand(
  file: string,
  args: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Promise<LaunchCommand> {
  // Windows: libuv puts children into a job object that ends with the parent.
  if (platform === 'win32') return { file, args: [...args], stdin: 'ignore' };
  if (platform === 'linux' && (await hasParentDeathSignal())) {
    return { file: 'setpriv', args: ['--pdeathsig', 'SIGKILL', file, ...args], stdin: 'ignore' };
  }
  return { file: '/bin/sh', args: ['-c', LIFELINE, 'sh', file, ...args], stdin: 'pipe' };
}
