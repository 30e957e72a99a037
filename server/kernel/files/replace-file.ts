import { randomInt } from 'node:crypto';
import { open, realpath, rename, rm } from 'node:fs/promises';

export interface ReplaceOptions {
  mode?: number;
  /** Whether the content is on disk when the promise resolves. Default: true. */
  durable?: boolean;
}

/**
 * Replaces the content of a file, completely or not at all. If the disk fills up during the write, the write fails and the file is
 * unchanged. For a symbolic link, replaces its target.
 * @throws the system's error
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode = 0o666, durable = true }: ReplaceOptions = {},
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  // The next start of the service removes unfinished files with names of this form.
  const unfinished = `${target}.${randomInt(2 ** 47)}`;
  try {
    const file = await open(unfinished, 'wx', mode);
    try {
      await file.writeFile(content);
      if (durable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  }
}
