import { parseArgs } from 'node:util';

/** A command line that cannot be run. Exit code 2. */
export class UsageError extends Error {
  name = 'UsageError';
}

/**
 * Reads a command line of one of the test programs.
 * @param args after the name of the program
 * @param options as `parseArgs` takes them
 * @param nearest finds the known name that is most similar to a misspelt one: `server/api/nearest.ts`
 * @throws UsageError that names the option, and the nearest known one
 */
export function readArguments(args, options, nearest) {
  const { values, tokens, positionals } = parseArgs({
    args,
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const { rawName, name, value } of tokens.filter(({ kind }) => kind === 'option')) {
    if (!Object.hasOwn(options, name)) {
      const known = Object.keys(options).map((one) => `--${one}`);
      throw unknown('option', rawName, known, nearest);
    }
    const isFlag = options[name].type === 'boolean';
    if (isFlag && value !== undefined) throw new UsageError(`option ${rawName} takes no value`);
    if (!isFlag && value === undefined) throw new UsageError(`option ${rawName} needs a value`);
  }
  return { values, positionals };
}

/** @throws UsageError that names the first unknown name, and the nearest known one */
export function checkNames(kind, names, known, nearest) {
  const wrong = names.find((name) => !known.includes(name));
  if (wrong !== undefined) throw unknown(kind, wrong, known, nearest);
}

/**
 * @param name as the user writes it, such as `--times`
 * @param text decimal
 * @throws UsageError if it is no whole number of the range
 */
export function wholeNumber(name, text, least, most) {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${name} is "${text}"; accepted: a whole number from ${least} to ${most}`);
}

/** Runs a test program. A command line that it refuses is one line on standard error, and exit code 2. */
export async function runProgram(program, work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${program}: ${error.message}`);
    process.exitCode = 2;
  }
}

function unknown(kind, name, known, nearest) {
  const near = nearest(name, known);
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  return new UsageError(`unknown ${kind} ${name}.${meant} Known: ${known.join(', ') || 'none'}`);
}
