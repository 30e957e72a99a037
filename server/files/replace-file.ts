import { randomInt } from 'node:crypto';
import { open, realpath, rename, rm } from 'node:fs/promises';

export interface ReplaceOptions {
  mode?: number;
  /** On disk when it resolves. Default: yes. */
  durable?: boolean;
}

/**
 * Replaces a file with a text: all of it, or nothing. A disk that takes a part of the text and then no more fails the write, and
 * the file stays as it was. What a link leads to is replaced, and the link stays.
 * @throws the system's error
 */
export async function replaceFile(
  path: string,
  text: string,
  { mode = 0o666, durable = true }: ReplaceOptions = {},
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  // Of this form: the next start removes what a killed process left of it.
  const unfinished = `${target}.${randomInt(2 ** 47)}`;
  try {
    const file = await open(unfinished, 'wx', mode);
    try {
      await file.writeFile(text);
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
