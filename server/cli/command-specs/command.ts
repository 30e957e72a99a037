import type { Parameter, Parameters, Values } from './parameter';

/** One command. Its help, validation, suggestions, completion and documentation are generated from it. */
export interface CommandSpec {
  /** One line, present tense. */
  readonly summary: string;
  /** Further sentences for the command's own help. */
  readonly details?: string;
  /** In order. Optional arguments may precede a required one. */
  readonly arguments: Parameters;
  readonly options: Parameters;
  /** Complete command lines with a description. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** Runs if the command line names only its group: `tx <hash>`. */
  readonly isDefault?: boolean;
}

/** Lets the compiler infer the parameters of a command. */
export const command = <
  const Arguments extends Parameters = Readonly<Record<string, never>>,
  const Options extends Parameters = Readonly<Record<string, never>>,
>(
  spec: Omit<CommandSpec, 'arguments' | 'options' | 'examples'> & {
    arguments?: Arguments;
    options?: Options;
    examples?: CommandSpec['examples'];
  },
): CommandSpec & { arguments: Arguments; options: Options } => ({
  ...spec,
  arguments: spec.arguments ?? ({} as Arguments),
  options: spec.options ?? ({} as Options),
  examples: spec.examples ?? [],
});

/** The input of a command's handler. */
export type InputOf<Spec extends Pick<CommandSpec, 'arguments' | 'options'>> = Values<
  Spec['arguments']
> &
  Values<Spec['options']>;

/** The option name on the command line: `anti-replay` for `antiReplay`. */
export const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `<hash>`, `[chain]`, `[words...]`. */
export function argumentText(name: string, { isRequired, isList }: Parameter): string {
  const inner = `${kebab(name)}${isList ? '...' : ''}`;
  return isRequired ? `<${inner}>` : `[${inner}]`;
}

/** `-q, --quiet`, `--height <block>`. */
export function optionText(
  name: string,
  { short, placeholder }: { short?: string | undefined; placeholder?: string | undefined },
): string {
  const long = `--${kebab(name)}${placeholder === undefined ? '' : ` <${placeholder}>`}`;
  return short === undefined ? long : `-${short}, ${long}`;
}
