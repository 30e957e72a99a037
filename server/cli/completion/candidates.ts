import { kebab, type CommandSpec } from '../table/command';
import { COMMANDS, GROUPS } from '../table/commands';
import { GLOBAL_OPTIONS } from '../table/global-options';
import type { LiveSource } from '../table/kinds';
import type { Parameter, Parameters } from '../table/parameter';

/** A possible next word and its description. */
export type Candidate = readonly [word: string, what: string];

/** Possible next words: fixed words, or a source to query. */
export interface Completion {
  candidates: readonly Candidate[];
  live?: LiveSource;
  /** Value of `--data-dir`, if it was typed. */
  dataDir?: string;
}

const specs = COMMANDS as Readonly<Record<string, CommandSpec>>;

/** @param words the words after `forklens`; the last one is incomplete and may be empty */
export function completionOf(words: readonly string[]): Completion {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const { name, spec } = commandIn(plainWords(before, GLOBAL_OPTIONS));
  const options: Parameters = { ...GLOBAL_OPTIONS, ...spec?.options };
  const rest = plainWords(before, options).slice(name === '' ? 0 : name.split(' ').length);
  const dataDir = valueOf('--data-dir', before);
  const found = (completion: Completion): Completion => ({
    ...completion,
    ...(dataDir === undefined ? {} : { dataDir }),
  });
  const asked = optionNamed(before.at(-1), options);
  if (asked?.placeholder !== undefined) return found(valuesOf(asked));
  if (current.startsWith('-')) return { candidates: optionWords(options) };
  const next = subcommandsOf(name);
  const subcommands = rest.length === 0 ? next : [];
  const argument = spec === undefined ? undefined : argumentAt(spec, rest.length);
  if (argument === undefined) return { candidates: subcommands };
  const { candidates, live } = valuesOf(argument);
  return found({
    candidates: [...subcommands, ...candidates],
    ...(live === undefined ? {} : { live }),
  });
}

/** The longest command or group at the start of the words. */
function commandIn(words: readonly string[]): { name: string; spec: CommandSpec | undefined } {
  for (let count = Math.min(words.length, 3); count > 0; count--) {
    const name = words.slice(0, count).join(' ');
    if (name in COMMANDS || name in GROUPS) {
      return { name, spec: specs[name] ?? specs[defaultOf(name)] };
    }
  }
  return { name: '', spec: undefined };
}

/** Words that are neither options nor their values. */
const plainWords = (words: readonly string[], options: Parameters): string[] =>
  words.filter(
    (word, at) =>
      !word.startsWith('-') && optionNamed(words[at - 1], options)?.placeholder === undefined,
  );

const defaultOf = (group: string): string =>
  Object.keys(COMMANDS).find(
    (name) => name.startsWith(`${group} `) && specs[name]?.isDefault === true,
  ) ?? '';

/** Commands and groups directly below a group. For an empty name: the first words of all commands. */
function subcommandsOf(group: string): Candidate[] {
  const prefix = group === '' ? '' : `${group} `;
  const found = new Map<string, string>();
  for (const [name, { summary }] of Object.entries(specs)) {
    if (!name.startsWith(prefix) || name === group) continue;
    const [word = ''] = name.slice(prefix.length).split(' ');
    const below = prefix + word;
    if (!found.has(word)) found.set(word, below === name ? summary : (GROUPS[below] ?? ''));
  }
  return [...found];
}

const optionWords = (options: Parameters): Candidate[] =>
  Object.entries(options).map(([name, { text }]) => [`--${kebab(name)}`, text]);

function optionNamed(word: string | undefined, options: Parameters): Parameter | undefined {
  return Object.entries(options).find(
    ([name, { short }]) => word === `--${kebab(name)}` || (short && word === `-${short}`),
  )?.[1];
}

function valueOf(option: string, words: readonly string[]): string | undefined {
  const at = words.indexOf(option);
  return at < 0 ? undefined : words[at + 1];
}

/** @param count number of words before the incomplete argument */
function argumentAt(spec: CommandSpec, count: number): Parameter | undefined {
  const parameters = Object.values(spec.arguments);
  return parameters[count] ?? parameters.findLast(({ isList }) => isList);
}

function valuesOf({ kind, text }: Parameter): Completion {
  const candidates = kind?.candidates ?? [];
  return typeof candidates === 'string'
    ? { candidates: [], live: candidates }
    : { candidates: candidates.map((word) => [word, text]) };
}
