import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents. Leaves an existing folder unchanged. Node's own recursive `mkdir` never returns if a file
 * system answers ENOENT to a new folder, as `/proc` does.
 * @throws the system's error; `ENOTDIR` if a part of the path is a file
 */
export async function makeDirectory(path: string, mode = 0o777): Promise<void> {
  const missing: string[] = [];
  let at = resolve(path);
  while (!(await exists(at))) {
    missing.unshift(at);
    at = dirname(at);
  }
  for (const folder of missing) {
    await mkdir(folder, { mode }).catch((error: unknown) => {
      // Another process created it in the meantime.
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  }
  if (!(await stat(path)).isDirectory()) {
    throw Object.assign(new Error(`ENOTDIR: ${path} is a file`), { code: 'ENOTDIR' });
  }
}

/** The root of a file system always counts as existing: `mkdir` reports its faults. */
async function exists(path: string): Promise<boolean> {
  if (dirname(path) === path) return true;
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;
