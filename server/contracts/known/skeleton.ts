import unhomoglyph from 'unhomoglyph';

/**
 * What a name looks like: names with the same skeleton look alike. Characters that resemble Latin ones are replaced by these (confusables
 * of Unicode, UTS #39); case, spaces, punctuation, accents and characters that are not shown do not count.
 * @returns empty if nothing is left
 */
export function skeletonOf(name: string): string {
  const letters = latin(latin(name).toLowerCase()).toLowerCase();
  return letters.replace(/[^\p{L}\p{N}]/gu, '');
}

/** The same with the case of its letters, which tells a symbol from a word. */
export const casedSkeletonOf = (name: string): string =>
  latin(latin(name)).replace(/[^\p{L}\p{N}]/gu, '');

const latin = (text: string): string =>
  unhomoglyph(text.normalize('NFKD').replace(/[\p{M}\p{C}]/gu, '')).replace(/\p{M}/gu, '');
