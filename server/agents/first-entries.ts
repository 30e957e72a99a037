/** Entries of one list, and of all lists and objects of a value together. */
const MAX_LIST = 300;
const MAX_ALL = 5_000;

/**
 * A value of JSON without the entries that would fill a model's context. A list that is cut ends with `… and N more`, and an object has a
 * member `…` with that text.
 */
export function firstEntries(value: unknown): unknown {
  let left = MAX_ALL;
  const cut = (one: unknown): unknown => {
    if (typeof one !== 'object' || one === null) return one;
    if (Array.isArray(one)) {
      const [kept, omitted] = firstOf(one);
      const entries = kept.map(cut);
      return omitted === 0 ? entries : [...entries, more(omitted)];
    }
    const [kept, omitted] = firstOf(Object.keys(one));
    const members = kept.map((name) => [name, cut((one as Record<string, unknown>)[name])]);
    if (omitted > 0) members.push(['…', more(omitted)]);
    return Object.fromEntries(members) as unknown;
  };
  const firstOf = <T>(all: readonly T[]): [kept: T[], omitted: number] => {
    const kept = all.slice(0, Math.max(0, Math.min(MAX_LIST, left)));
    left -= kept.length;
    return [kept, all.length - kept.length];
  };
  return cut(value);
}

const more = (omitted: number): string => `… and ${omitted} more`;
