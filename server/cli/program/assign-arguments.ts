import { argumentText } from '../table/command';
import type { Parameters } from '../table/parameter';
import { UsageError } from '../errors/usage-error';

/**
 * Assigns the words of a command line to its arguments, in order. An optional argument gets a word only if enough words remain for the
 * required ones after it: `[chain] <hash>` accepts one or two words.
 * @throws UsageError if words are missing or superfluous
 */
export function assignArguments(
  parameters: Parameters,
  words: readonly string[],
): Record<string, string[]> {
  const entries = Object.entries(parameters);
  const needed = entries.filter(([, { isRequired }]) => isRequired).length;
  let optionalCount = words.length - needed;
  let next = 0;
  const assigned: Record<string, string[]> = {};
  for (const [name, { isRequired, isList }] of entries) {
    if (isList) {
      assigned[name] = words.slice(next);
      next = words.length;
    } else if (isRequired || optionalCount > 0) {
      if (!isRequired) optionalCount--;
      assigned[name] = words.slice(next, ++next);
    } else {
      assigned[name] = [];
    }
  }
  if (next < words.length) {
    const accepted = entries.map(([name, parameter]) => argumentText(name, parameter)).join(' ');
    const extra = JSON.stringify(words[next]);
    throw new UsageError(`${extra} is one argument too many; accepted: ${accepted || 'none'}`);
  }
  return assigned;
}
