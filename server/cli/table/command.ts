import type { Parameter, Parameters, Values } from './parameter';

/** One command: help, validation, suggestions, completion and documentation are made from it. */
export interface CommandSpec {
  /** One line, present tense. */
  readonly summary: string;
  /** Further sentences for its own help. */
  readonly details?: string;
  /** In order. Those in front of a required one may be left out. */
  readonly arguments: Parameters;
  readonly options: Parameters;
  /** Whole command lines with what they do. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** Runs where its group is named alone: `tx <hash>`. */
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

/** What a command's handler gets. */
export type InputOf<Spec extends Pick<CommandSpec, 'arguments' | 'options'>> = Values<
  Spec['arguments']
> &
  Values<Spec['options']>;

/** `antiReplay` as it is typed: `anti-replay`. */
export const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `<hash>`, `[chain]`, `[words...]`. */
export function argumentText(name: string, { isRequired, isList }: Parameter): string {
  const inner = `${kebab(name)}${isList ? '...' : ''}`;
  return isRequired ? `<${inner}>` : `[${inner}]`;
}

/** `-q, --quiet`, `--height <block>`. */
export function optionText(name: string, { short, placeholder }: Parameter): string {
  const long = `--${kebab(name)}${placeholder === undefined ? '' : ` <${placeholder}>`}`;
  return short === undefined ? long : `-${short}, ${long}`;
}
