import { spawn } from 'node:child_process';
import { open, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

export interface ProgramRun {
  /** Path or name of the executable. */
  readonly program: string;
  /** Where it runs. */
  readonly folder: string;
  readonly args: readonly string[];
  /** Besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface ProgramEnd {
  /** Exit code; -1 where it was ended. */
  readonly code: number;
  /** What it wrote to standard error: the first 64 KiB. */
  readonly errors: string;
  /** Whether it was ended because it wrote too much. */
  readonly isTooLarge: boolean;
}

/** How often the size of the output is looked at, in milliseconds. */
const WATCH_MS = 250;
const MOST_ERRORS = 64 * 1024;

/** @returns the path of an executable of the search path; undefined if there is none */
export async function findProgram(
  name: string,
  searchPath = process.env['PATH'] ?? '',
): Promise<string | undefined> {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  for (const folder of searchPath.split(delimiter)) {
    if (folder === '') continue;
    const found = await stat(join(folder, file)).catch(() => undefined);
    if (found?.isFile() === true) return join(folder, file);
  }
  return undefined;
}

/**
 * Runs a program, and writes its output to a file.
 * @param most bytes of output: it is ended beyond
 * @throws the system's error where it cannot be started; the signal's reason: it is ended then
 */
export async function runProgram(
  { program, folder, args, env = {}, signal }: ProgramRun,
  output: string,
  most: number,
): Promise<ProgramEnd> {
  signal?.throwIfAborted();
  const file = await open(output, 'w', 0o600);
  let errors = '';
  const watched = { isTooLarge: false };
  try {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdio: ['ignore', file.fd, 'pipe'],
      ...(signal && { signal, killSignal: 'SIGKILL' as const }),
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (errors.length < MOST_ERRORS) errors += chunk.toString();
    });
    const watch = setInterval(() => {
      void file.stat().then(({ size }) => {
        if (size <= most) return;
        watched.isTooLarge = true;
        child.kill('SIGKILL');
      });
    }, WATCH_MS);
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (ended) => {
        resolve(ended ?? -1);
      });
    }).finally(() => {
      clearInterval(watch);
    });
    return { code, errors, isTooLarge: watched.isTooLarge };
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    await file.close();
  }
}
