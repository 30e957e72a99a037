import { readFile, writeFile } from 'node:fs/promises';

/** Replaces texts of a file. Every text must be in the file: the version is fixed. */
export async function replaceIn(
  file: string,
  changes: readonly (readonly [theirs: string, ours: string])[],
): Promise<void> {
  let text = await readFile(file, 'utf8');
  for (const [theirs, ours] of changes) {
    if (!text.includes(theirs)) throw new Error(`${file} does not have ${theirs}`);
    text = text.replace(theirs, ours);
  }
  await writeFile(file, text);
}
