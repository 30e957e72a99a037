import { nearest } from '../../api/nearest';

/** Sources of values that completion has to query: a running service or the file system. */
export type LiveSource =
  'chains' | 'chains and forks' | 'forks' | 'projects' | 'profiles' | 'files';

/** The type of an argument or option. Needs no library, because the table is loaded at each start. */
export interface Kind<Value> {
  /** A noun phrase for error messages. */
  readonly accepted: string;
  /** Undefined: the text is not accepted. */
  readonly parse: (text: string) => Value | undefined;
  readonly candidates?: readonly string[] | LiveSource;
}

const matching = (
  pattern: RegExp,
  accepted: string,
  candidates?: readonly string[] | LiveSource,
): Kind<string> => ({
  accepted,
  parse: (text) => (pattern.test(text.trim()) ? text.trim() : undefined),
  ...(candidates === undefined ? {} : { candidates }),
});

export const text: Kind<string> = { accepted: 'text', parse: (given) => given };
export const solcVersion = matching(
  /^0\.\d{1,3}\.\d{1,3}$/,
  'a version of solc without its commit, such as 0.8.19',
);
export const filledText = matching(/\S/, 'text that is not empty');
export const address = matching(
  /^0x[0-9a-fA-F]{40}$/,
  'an address: 0x and 40 hex digits, or its URL of an explorer',
);
export const hash = matching(
  /^0x[0-9a-fA-F]{64}$/,
  'a transaction hash: 0x and 64 hex digits, or its URL of an explorer',
);
export const blockHash = matching(
  /^0x[0-9a-fA-F]{64}$/,
  'the hash of a block: 0x and 64 hex digits',
);
export const bytes = matching(
  /^0x([0-9a-fA-F]{2})*$/,
  'bytes: 0x and an even number of hex digits',
);
export const chain = matching(/\S/, 'the slug of a chain', 'chains');
export const chainOrFork = matching(
  /\S/,
  'the slug of a chain, or the id or name of a fork',
  'chains and forks',
);
export const fork = matching(/\S/, 'the id or name of a fork', 'forks');
export const project = matching(/\S/, 'the id or name of a project', 'projects');
export const profile = matching(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
  'a name of 1-64 letters, digits, dots, hyphens and underscores',
  'profiles',
);
export const file = matching(/\S/, 'a path', 'files');

export const url: Kind<string> = {
  accepted: 'an http:// or https:// URL without query',
  parse: (given) => {
    const parsed = URL.canParse(given) ? new URL(given) : undefined;
    if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) return undefined;
    return parsed.search || parsed.hash ? undefined : parsed.href.replace(/\/$/, '');
  },
};

/** A whole number, optionally with `_` or `,` between its digits. */
export function whole(min: number, max: number): Kind<number> {
  return {
    accepted: `a whole number from ${min} to ${max}`,
    parse: (given) => {
      const digits = given.trim().replace(/(?<=\d)[_,](?=\d)/g, '');
      const value = /^\d{1,16}$/.test(digits) ? Number(digits) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  };
}

export function choice<const Name extends string>(...names: readonly Name[]): Kind<Name> {
  return {
    accepted: names.join(', '),
    candidates: names,
    parse: (given) => names.find((name) => name.toLowerCase() === given.trim().toLowerCase()),
  };
}

/** The accepted values, and the most similar one. */
export function acceptedWords(kind: Kind<unknown>, given: string): string {
  if (kind.candidates === undefined || typeof kind.candidates === 'string') return kind.accepted;
  const meant = nearest(given, kind.candidates);
  return meant === undefined ? kind.accepted : `${kind.accepted} (did you mean ${meant}?)`;
}
