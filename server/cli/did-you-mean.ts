import { nearest } from '../api/nearest';

/** End of an error about a name that does not exist; empty where no known name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
