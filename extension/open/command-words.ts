/** A command line, as its program receives it. */
export interface CommandWords {
  /** Arguments without options. */
  arguments: string[];
  /** Values of the options that take one. */
  options: Map<string, string>;
  flags: Set<string>;
}

/** The words of a command line: quotes keep spaces, and a backslash at the end of a line continues it. */
export function wordsOf(text: string): string[] {
  const line = text.replace(/\\\s+/g, ' ');
  return [...line.matchAll(/(?:"((?:\\.|[^"\\])*)"|'([^']*)'|((?:\\.|[^\s"'\\])+))+/g)].map(
    ([word]) => unquoted(word),
  );
}

/** One word may be made of several quoted and plain parts. */
const unquoted = (word: string): string =>
  word.replace(
    /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g,
    (_, double?: string, single?: string, escaped?: string) =>
      double?.replace(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? '',
  );

/** @param valued options that take a value, in their long form @param short the long form of each short one */
export function readWords(
  words: readonly string[],
  valued: ReadonlySet<string>,
  short: Readonly<Record<string, string>>,
): CommandWords {
  const read: CommandWords = { arguments: [], options: new Map(), flags: new Set() };
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--') {
      read.arguments.push(...words.slice(index + 1));
      break;
    }
    const [, name, , value] = /^(--?[a-z][a-z-]*)(=(.*))?$/is.exec(word) ?? [];
    const option = name === undefined ? undefined : (short[name] ?? name);
    if (option === undefined) read.arguments.push(word);
    else if (value !== undefined) read.options.set(option, value);
    else if (valued.has(option)) read.options.set(option, words[++index] ?? '');
    else read.flags.add(option);
  }
  return read;
}
