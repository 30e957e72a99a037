import { Argument, Command, Option } from 'commander';
import { argumentText, kebab, optionText, type CommandSpec } from '../command-specs/command';
import { COMMANDS, EXIT_CODES, GROUPS, TOPICS, type CommandName } from '../command-specs/commands';
import { GLOBAL_OPTIONS } from '../command-specs/global-options';
import type { Parameter, Parameters } from '../command-specs/parameter';
import type { GivenOptions } from './read-input';

/** A parsed command line: the command and the option names are valid, the values are still unparsed texts. */
export interface Call {
  name: CommandName;
  words: readonly string[];
  options: GivenOptions;
  globals: GivenOptions;
}

const HELP = {
  showGlobalOptions: true,
  // The list of all commands stays readable in 80 columns; the arguments are in the help of each.
  subcommandTerm: (command: Command): string =>
    command.parent?.parent ? `${command.name()} ${usageOf(command)}`.trim() : command.name(),
};

/** Groups have no usage text. */
const usageOf = (command: Command): string =>
  command.commands.length > 0 ? '' : command.usage().replace(/^\[options\] ?/, '');

/**
 * Builds the parser from the table of commands.
 * @param run receives the call
 * @param writeError receives the parser's messages about an invalid command line
 */
export function buildProgram(
  version: string,
  run: (call: Call) => Promise<void>,
  writeError: (text: string) => void,
): Command {
  const program = new Command('forklens')
    .description('Forks EVM chains at an exact transaction, and analyzes transactions.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .configureHelp(HELP)
    .configureOutput({ writeErr: writeError })
    .showHelpAfterError(false)
    .exitOverride();
  addOptions(program, GLOBAL_OPTIONS);
  program.addHelpText('after', afterHelp);
  program.commandsGroup('On this machine:'); // of the command `help`

  const groups = new Map<string, Command>([['', program]]);
  const groupOf = (name: string): Command => {
    const known = groups.get(name);
    if (known !== undefined) return known;
    const { above, last } = splitName(name);
    const group = groupOf(above)
      .command(last)
      .description(GROUPS[name] ?? '')
      .copyInheritedSettings(program);
    groups.set(name, group);
    return group;
  };
  for (const [name, spec] of Object.entries(COMMANDS) as [CommandName, CommandSpec][]) {
    const { above, last } = splitName(name);
    const command = groupOf(above).command(last, { isDefault: spec.isDefault ?? false });
    fill(command.copyInheritedSettings(program), spec);
    command.action((...given: unknown[]) => {
      const parsed = given.at(-1) as Command;
      // A group without words prints its commands, as the groups without a default command do.
      if (spec.isDefault === true && parsed.parent?.args.length === 0) {
        parsed.parent.help({ error: true });
      }
      return run({
        name,
        words: parsed.args,
        options: parsed.opts(),
        globals: program.opts(),
      });
    });
  }
  for (const [heading, words] of Object.entries(TOPICS)) {
    for (const command of program.commands) {
      if (words.includes(command.name())) command.helpGroup(heading);
    }
  }
  return program;
}

function splitName(name: string): { above: string; last: string } {
  const at = name.lastIndexOf(' ');
  return { above: name.slice(0, Math.max(at, 0)), last: name.slice(at + 1) };
}

function fill(command: Command, spec: CommandSpec): void {
  command
    .summary(spec.summary)
    .description([sentence(spec.summary), spec.details ?? ''].join('\n\n').trim())
    // `assignArguments` assigns the words, because optional arguments may precede required ones.
    .argument('[words...]')
    .usage(
      ['[options]', ...Object.entries(spec.arguments).map(([n, p]) => argumentText(n, p))].join(
        ' ',
      ),
    )
    .configureHelp({ ...HELP, visibleArguments: () => shownArguments(spec.arguments) });
  addOptions(command, spec.options);
  if (spec.examples.length > 0) {
    const lines = spec.examples.flatMap(([line, what]) => [
      `  $ ${line}`,
      ...(what === '' ? [] : [`      ${what}`]),
    ]);
    command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  }
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const shownArguments = (parameters: Parameters): Argument[] =>
  Object.entries(parameters).map(
    ([name, parameter]) => new Argument(argumentText(name, parameter), describe(parameter)),
  );

/** The description with the default and the environment variable. */
export function describe({ text, shownDefault, env }: Parameter): string {
  const facts = [
    ...(shownDefault === undefined ? [] : [`default: ${shownDefault}`]),
    ...(env === undefined ? [] : [`env: ${env}`]),
  ];
  return facts.length === 0 ? text : `${text} (${facts.join(', ')})`;
}

function addOptions(command: Command, parameters: Parameters): void {
  for (const [name, parameter] of Object.entries(parameters)) {
    command.addOption(makeOption(optionText(name, parameter), parameter));
    if (parameter.alias === undefined) continue;
    const { name: other, short } = parameter.alias;
    const { placeholder } = parameter;
    const alias = makeOption(optionText(other, { short, placeholder }), parameter);
    const target = kebab(name);
    alias.attributeName = () => attributeOf(target);
    command.addOption(alias.hideHelp());
  }
}

const attributeOf = (name: string): string =>
  name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** Collects texts only. The table's own parsers read the values, because their errors name the option and the value. */
function makeOption(flags: string, parameter: Parameter): Option {
  const option = new Option(flags, describe(parameter));
  option.argParser((text: string, before?: string[]) => [...(before ?? []), text]);
  return parameter.placeholder === undefined ? option.preset('true') : option;
}

const afterHelp = `
Each command has its own help: forklens fork create --help

Exit codes:
${EXIT_CODES.map(([code, meaning]) => `  ${String(code).padEnd(4)} ${meaning}`).join('\n')}`;
