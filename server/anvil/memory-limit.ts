import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SYSTEM_PATH, type LaunchCommand } from './launch-command';

const run = promisify(execFile);
const taken = new Map<string, Promise<boolean>>();

/** The memory that a process allocates. Its address space is a multiple of that, as each thread reserves some. */
const limitOf = (bytes: number): string => `--data=${bytes}`;

/** prlimit of util-linux, and a limit that is not above one that this process has. */
function isTaken(limit: string): Promise<boolean> {
  let known = taken.get(limit);
  if (!known) {
    known = run('prlimit', [limit, 'true'], { env: { PATH: SYSTEM_PATH } }).then(
      () => true,
      () => false,
    );
    taken.set(limit, known);
  }
  return known;
}

/** The same command with a bound on its memory, where the system has one; at the bound the process ends. */
export async function withMemoryLimit(
  command: LaunchCommand,
  bytes: number | undefined,
  platform: NodeJS.Platform = process.platform,
): Promise<LaunchCommand> {
  if (bytes === undefined || platform !== 'linux') return command;
  const limit = limitOf(bytes);
  if (!(await isTaken(limit))) return command;
  const { file, args, stdin } = command;
  return { file: 'prlimit', args: [limit, file, ...args], stdin };
}
