import { errorJson } from '../errors/error-json';
import { CommanderError } from 'commander';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { toFolder } from '../../composition/startup/folders';
import { DATABASE_VARIABLE, hideDatabaseUrl } from '../../composition/startup/secret-arguments';
import { VERSION } from '../../composition/startup/version';
import { completionScript } from '../completion/scripts';
import { EXIT, failureOf, type Failure } from './exit-codes';
import { buildProgram, type Call } from './build-program';
import { readInput, readOptions, type GivenOptions } from './read-input';
import { didYouMean } from '../errors/did-you-mean';
import { UsageError } from '../errors/usage-error';
import type { CommandSpec } from '../command-specs/command';
import { COMMANDS, GROUPS, type CommandName } from '../command-specs/commands';
import { GLOBAL_OPTIONS } from '../command-specs/global-options';
import { LOCAL_NAMES, CI_NAMES } from '../command-specs/local-names';

// The reader of the output may exit early, like `head`: the command still runs to its end.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const words = process.argv.slice(2);
const options = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length);
const isJson = options.includes('--json');

/** Parses the values of a call and runs it in the bundle with its handler. */
async function run({
  name,
  words: given,
  options: texts,
  globals: globalTexts,
}: Call): Promise<void> {
  const globals = readOptions(GLOBAL_OPTIONS, globalTexts, process.env);
  hideDatabaseUrl('forklens');
  // A service that the command starts inherits it, and no process list shows it.
  if (globals.database) process.env[DATABASE_VARIABLE] = globals.database;
  const input = readCall(name, given, texts);
  if (name === 'completion') {
    process.stdout.write(completionScript(input['shell'] as 'bash'));
    return;
  }
  const bundle = await bundleOf(name);
  const context = bundle.openContext(
    {
      ...globals,
      dataDir: dataDirOf(globals.dataDir),
      isDataDirGiven: globals.dataDir !== undefined,
      isLongLived: name === 'mcp',
    },
    cancelledByUser(),
  );
  try {
    await bundle.runCommand(name, input, context);
    await context.out.flushed();
  } catch (error) {
    // A failure after Ctrl-C counts as the cancellation.
    if (context.signal.aborted) throw new DOMException('cancelled', 'AbortError');
    throw error;
  } finally {
    await context.connection.close();
    context.out.end();
  }
}

/** The bundle with the handler of a command. */
function bundleOf(name: string) {
  if (CI_NAMES.has(name)) return import('../ci/ci-bundle');
  if (LOCAL_NAMES.has(name)) return import('../local/local-commands');
  return import('../command-handlers/service-bundle');
}

/** The words of a default command may be a misspelt command of its group. @throws UsageError */
function readCall(name: CommandName, given: readonly string[], texts: GivenOptions) {
  const spec: CommandSpec = COMMANDS[name];
  try {
    return readInput(spec, given, texts, process.env);
  } catch (error) {
    const [word = ''] = given;
    if (spec.isDefault !== true || words.includes(name.split(' ').at(-1) ?? '')) throw error;
    const group = name.slice(0, name.lastIndexOf(' ') + 1);
    const others = Object.keys(COMMANDS).filter((one) => one.startsWith(group));
    const meant = didYouMean(group + word, others);
    throw meant === '' ? error : new UsageError((error as Error).message + meant);
  }
}

/** The first Ctrl-C cancels the operation, including its requests at the service. The second one exits immediately. */
function cancelledByUser(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(EXIT.cancelled);
      controller.abort();
    });
  }
  return controller.signal;
}

const dataDirOf = (given: string | undefined): string =>
  given === undefined ? join(homedir(), '.forklens') : toFolder(given);

function report({ code, message, exitCode }: Failure): void {
  process.exitCode = exitCode;
  const text = isJson ? errorJson({ code, message }) : `error: ${message}`;
  process.stderr.write(`${text}\n`);
}

/** Turns `help fork create` into `fork create --help`. @throws UsageError for words that name neither a command nor a group */
function helpOf(named: readonly string[]): string[] {
  const name = named.join(' ');
  const known = [...Object.keys(COMMANDS), ...Object.keys(GROUPS)];
  if (name !== '' && !known.includes(name)) {
    throw new UsageError(`unknown command '${name}'${didYouMean(name, known)}`);
  }
  return [...named, '--help'];
}

/** Reports the parser's message about an invalid command line, or prints help if the command is missing. */
function reportRefusal({ code }: CommanderError, text: string): void {
  process.exitCode = EXIT.usage;
  if (code === 'commander.help' && !isJson) {
    process.stderr.write(text);
    return;
  }
  const plain = text
    .trim()
    .replace(/^error: /, '')
    .replace(/\n\(/, ' (');
  const message = code === 'commander.help' ? 'a command is missing' : plain;
  report({ code: 40001, message, exitCode: EXIT.usage });
}

/** Runs the command of this process and sets the exit code. */
export async function runCommandLine(): Promise<void> {
  if (words[0] === '__complete') {
    const { complete } = await import('../completion/complete');
    process.stdout.write(await complete(words.slice(1)));
    return;
  }
  const refusals: string[] = [];
  const program = buildProgram(VERSION, run, (text) => refusals.push(text));
  try {
    await program.parseAsync(words[0] === 'help' ? helpOf(words.slice(1)) : words, {
      from: 'user',
    });
  } catch (error) {
    if (!(error instanceof CommanderError)) report(failureOf(error));
    else if (error.exitCode !== 0) reportRefusal(error, refusals.join(''));
  }
}
