import { LIMITS } from '../../../api/limits';
import { visibleText } from '../../../api/visible-text';

/** A source file by anyone. */
export interface ForeignFile {
  readonly name: string;
  readonly content: string;
  readonly id?: number | undefined;
}

/** A file with a clean name. */
export interface CleanFile extends ForeignFile {
  /** Its name in the compilation, if another one than its clean name. */
  readonly compiledAs?: string;
}

/** Whether files by anyone, a list or by name, are too many to be read at all. */
export const areTooMany = (files: unknown): boolean =>
  typeof files === 'object' && files !== null && Object.keys(files).length > LIMITS.sourceFiles;

const MAX_NAME = 1_024;
const MAX_SEGMENT = 128;

/**
 * Gives files names that are relative paths without `..`, control characters and empty parts, each once. Such a name is safe to show and
 * to use as a path.
 * @returns undefined if there are none, too many, or too long ones
 */
export function cleanFiles(files: readonly ForeignFile[]): CleanFile[] | undefined {
  if (files.length === 0 || files.length > LIMITS.sourceFiles || isTooLong(files)) return undefined;
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  const ids = new Set<number>();
  return files.map(({ name, content, id }) => {
    const unique = uniqueName(cleanName(name), taken, numbers);
    taken.add(unique.toLowerCase());
    const isOwn = id !== undefined && Number.isSafeInteger(id) && id >= 0 && !ids.has(id);
    if (isOwn) ids.add(id);
    const isRenamed = unique !== name && name.length <= MAX_NAME;
    return {
      name: unique,
      content,
      ...(isOwn && { id }),
      ...(isRenamed && { compiledAs: name }),
    };
  });
}

function isTooLong(files: readonly ForeignFile[]): boolean {
  const names = files.reduce((sum, { name }) => sum + name.length, 0);
  const characters = files.reduce((sum, { content }) => sum + content.length, 0);
  if (names > LIMITS.sourceNames || characters > LIMITS.sourceText) return true;
  let lines = 0;
  for (const { content } of files) {
    for (let at = content.indexOf('\n'); at >= 0; at = content.indexOf('\n', at + 1)) {
      if (++lines > LIMITS.sourceLines) return true;
    }
  }
  return false;
}

function cleanName(name: string): string {
  const parts: string[] = [];
  const visible = visibleText(name.slice(0, MAX_NAME)).replace(/[:*?"<>|]/g, '');
  for (const part of visible.split(/[\\/]+/)) {
    const clean = part.trim().slice(0, MAX_SEGMENT);
    if (clean === '..') parts.pop();
    else if (!/^\.*$/.test(clean)) parts.push(clean);
  }
  return parts.length === 0 ? 'source' : parts.join('/');
}

/**
 * Names that differ in case alone are the same file on many systems.
 * @param numbers the last number that was given to a name, so that equal names do not try the numbers of each other
 */
function uniqueName(
  name: string,
  taken: ReadonlySet<string>,
  numbers: Map<string, number>,
): string {
  const key = name.toLowerCase();
  if (!taken.has(key)) return name;
  const [stem, extension] = partsOf(name);
  for (let number = (numbers.get(key) ?? 1) + 1; ; number++) {
    const next = `${stem}~${number}${extension}`;
    if (taken.has(next.toLowerCase())) continue;
    numbers.set(key, number);
    return next;
  }
}

/** The name without its extension, and the extension with its dot. */
function partsOf(name: string): [stem: string, extension: string] {
  const dot = name.lastIndexOf('.');
  return dot < 0 || dot < name.lastIndexOf('/')
    ? [name, '']
    : [name.slice(0, dot), name.slice(dot)];
}
