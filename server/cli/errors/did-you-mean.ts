import { nearest } from '../../api/nearest';

/** Suffix of an error about an unknown name; empty if no known name is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
