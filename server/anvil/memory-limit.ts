import type { LaunchCommand } from './launch-command';
import { isOffered } from './system-tool';

/** The memory that a process allocates. Its address space is a multiple of that, as each thread reserves some. */
const limitOf = (bytes: number): string => `--data=${bytes}`;

/** prlimit of util-linux, and a limit that is not above one that this process has. */
const isTaken = (limit: string): Promise<boolean> => isOffered('prlimit', [limit, 'true']);

/** The same command with a bound on its memory, where the system has one; at the bound the process ends. @throws ApiError outOfFiles */
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
