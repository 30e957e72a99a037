import type { LaunchCommand } from './launch-command';
import { isOffered } from './system-tool';

/** Limits the memory that a process allocates. Its address space is a multiple of that, because each thread reserves some. */
const limitOf = (bytes: number): string => `--data=${bytes}`;

/** Whether util-linux's prlimit exists and the limit is not above a limit of this process. */
const isTaken = (limit: string): Promise<boolean> => isOffered('prlimit', [limit, 'true']);

/** Adds a memory limit to a command, if the system supports one. The process ends at the limit. @throws ApiError outOfFiles */
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
