import type { CallableFunction } from './names';

/** Whether a function has as many parameters, and those of the names. */
export const takes = (
  { parameters, parameterNames }: CallableFunction,
  count: number,
  names: readonly string[] | undefined,
): boolean =>
  parameters.length === count && (names?.every((name) => parameterNames.includes(name)) ?? true);

/** Why no function takes what is given. */
export function argumentsFault(
  name: string,
  found: readonly CallableFunction[],
  count: number,
  names: readonly string[] | undefined,
): string {
  const counts = [...new Set(found.map(({ parameters }) => parameters.length))];
  if (!names || !counts.includes(count)) {
    return `${name} takes ${counts.join(' or ')} arguments, not ${count}`;
  }
  const accepted = found.map(({ parameterNames }) => parameterNames.join(', ')).join(' or ');
  return `${name} takes no arguments of the names ${names.join(', ')}; accepted are ${accepted}`;
}
