import { UsageError, wrongValue } from '../errors/usage-error';
import { acceptedWords, type Kind } from './kinds';

/** An argument or option of a command: its description and the parser of its text. */
export interface Parameter<Value = unknown> {
  /** Description for the help and the documentation. */
  readonly text: string;
  /** Name of the value, such as `block`; undefined for a switch. */
  readonly placeholder?: string;
  readonly kind?: Kind<unknown>;
  readonly isRequired: boolean;
  /** Whether it may be repeated. A list argument takes all remaining words. */
  readonly isList: boolean;
  /** The default, in the notation of the help. */
  readonly shownDefault?: string;
  /** One letter. */
  readonly short?: string;
  /** Another name of the option, which the help does not list. */
  readonly alias?: { readonly name: string; readonly short?: string };
  /** Environment variable that supplies the value if the option is missing. */
  readonly env?: string;
  /** @param given the texts; empty if the parameter is missing @param label its name on the command line @throws UsageError */
  readonly read: (given: readonly string[], label: string) => Value;
}

export type Parameters = Readonly<Record<string, Parameter>>;

/** The values of parameters. */
export type Values<Of extends Parameters> = {
  -readonly [Name in keyof Of]: Of[Name] extends Parameter<infer Value> ? Value : never;
};

type Extras = Pick<Parameter, 'short' | 'env' | 'alias'>;

function readOne<Value>(kind: Kind<Value>, given: string, label: string): Value {
  const value = kind.parse(given);
  if (value === undefined) throw wrongValue(label, given, acceptedWords(kind, given));
  return value;
}

/** A switch. */
export const flag = (text: string, extras: Extras = {}): Parameter<boolean> => ({
  ...extras,
  text,
  isRequired: false,
  isList: false,
  read: (given) => given.length > 0 && !/^(false|0|no|off)$/i.test(given.at(-1) ?? ''),
});

/** If repeated, the last value counts. */
export const optional = <Value>(
  kind: Kind<Value>,
  placeholder: string,
  text: string,
  extras: Extras = {},
): Parameter<Value | undefined> => ({
  ...extras,
  kind,
  placeholder,
  text,
  isRequired: false,
  isList: false,
  read: (given, label) => {
    const last = given.at(-1);
    return last === undefined ? undefined : readOne(kind, last, label);
  },
});

export const required = <Value>(
  kind: Kind<Value>,
  placeholder: string,
  text: string,
  extras: Extras = {},
): Parameter<Value> => ({
  ...extras,
  kind,
  placeholder,
  text,
  isRequired: true,
  isList: false,
  read: (given, label) => {
    const last = given.at(-1);
    if (last === undefined) throw new UsageError(`${label} is missing; accepted: ${kind.accepted}`);
    return readOne(kind, last, label);
  },
});

export const withDefault = <Value extends string | number>(
  kind: Kind<Value>,
  placeholder: string,
  text: string,
  fallback: Value,
  extras: Extras = {},
): Parameter<Value> => ({
  ...extras,
  kind,
  placeholder,
  text,
  isRequired: false,
  isList: false,
  shownDefault: String(fallback),
  read: (given, label) => {
    const last = given.at(-1);
    return last === undefined ? fallback : readOne(kind, last, label);
  },
});

/** Any number of values; at least one for a required argument. */
export const many = <Value>(
  kind: Kind<Value>,
  placeholder: string,
  text: string,
  { isRequired = false, ...extras }: Extras & { isRequired?: boolean } = {},
): Parameter<Value[]> => ({
  ...extras,
  kind,
  placeholder,
  text,
  isRequired,
  isList: true,
  read: (given, label) => {
    if (isRequired && given.length === 0) {
      throw new UsageError(`${label} is missing; accepted: ${kind.accepted}`);
    }
    return given.map((one) => readOne(kind, one, label));
  },
});
