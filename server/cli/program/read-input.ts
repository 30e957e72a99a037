import { argumentText, kebab, type CommandSpec } from '../command-specs/command';
import type { Parameter, Parameters, Values } from '../command-specs/parameter';
import { assignArguments } from './assign-arguments';
import { withoutExplorerUrls } from './explorer-urls';

/** Option texts collected by the parser. */
export type GivenOptions = Readonly<Record<string, readonly string[] | undefined>>;

/**
 * Reads options. Missing ones default to their environment variable; an empty variable counts as unset.
 * @throws UsageError that names the option, its value and the accepted values
 */
export function readOptions<Of extends Parameters>(
  options: Of,
  given: GivenOptions,
  environment: NodeJS.ProcessEnv,
): Values<Of> {
  const values = Object.entries(options).map(([name, parameter]) => {
    const texts = given[name];
    if (texts !== undefined) return [name, parameter.read(texts, `--${kebab(name)}`)];
    const variable = parameter.env === undefined ? '' : (environment[parameter.env] ?? '');
    return [
      name,
      parameter.read(variable === '' ? [] : [variable], labelOf(name, variable, parameter)),
    ];
  });
  return Object.fromEntries(values) as Values<Of>;
}

const labelOf = (name: string, variable: string, { env = '' }: Parameter): string =>
  variable === '' ? `--${kebab(name)}` : env;

/** Parses the arguments and options of a command. @throws UsageError */
export function readInput(
  spec: CommandSpec,
  words: readonly string[],
  given: GivenOptions,
  environment: NodeJS.ProcessEnv,
): Record<string, unknown> {
  const named = withoutExplorerUrls(spec.arguments, words, given);
  const assigned = assignArguments(spec.arguments, named.words);
  const values = Object.entries(spec.arguments).map(([name, parameter]) => [
    name,
    parameter.read(assigned[name] ?? [], argumentText(name, { ...parameter, isRequired: true })),
  ]);
  return {
    ...readOptions(spec.options, named.options, environment),
    ...(Object.fromEntries(values) as object),
  };
}
