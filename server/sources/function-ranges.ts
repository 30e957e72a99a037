import type { SourceRange } from './source-map';

/** The function to find: by name and types, or one of the unnamed kinds. */
export type WantedFunction =
  | { readonly kind: 'function'; readonly name: string; readonly types: readonly string[] }
  | { readonly kind: 'constructor' | 'fallback' | 'receive' };

/** Maximum length of a declaration that is examined, in bytes: the relevant part is at its start. */
export const DECLARATION_BYTES = 4_096;

const SHORT_TYPES: ReadonlyMap<string, string> = new Map([
  ['uint', 'uint256'],
  ['int', 'int256'],
]);
const ELEMENTARY = /^(u?int\d+|address|bool|string|bytes\d*)((\[\d*\])*)$/;

/**
 * Finds the declaration of a function among the ranges of a contract's source map. The compiler maps a function's entry to its whole
 * declaration, inherited ones included, and the getter of a public variable to the variable's declaration.
 * @param textOf start of the text of a range; undefined if unknown
 */
export function findFunction(
  ranges: Iterable<SourceRange>,
  wanted: WantedFunction,
  textOf: (range: SourceRange) => string | undefined,
): SourceRange | undefined {
  let getter: SourceRange | undefined;
  for (const range of ranges) {
    const text = textOf(range);
    if (text === undefined) continue;
    if (wanted.kind !== 'function') {
      if (new RegExp(`^${wanted.kind}\\s*\\(`).test(text)) return range;
    } else if (declares(text, wanted.name, wanted.types)) {
      return range;
    } else if (isGetter(text, wanted.name)) {
      getter = range;
    }
  }
  return getter;
}

function declares(text: string, name: string, types: readonly string[]): boolean {
  const head = /^function\s+([\w$]+)\s*\(/.exec(text);
  if (head?.[1] !== name) return false;
  const list = withoutComments(text.slice(head[0].length)).split(')', 1)[0] ?? '';
  const parameters = list.trim() === '' ? [] : list.split(',');
  return (
    parameters.length === types.length &&
    parameters.every((parameter, index) => mayBe(parameter, types[index] ?? ''))
  );
}

/** Whether a parameter as written may have this type of the ABI: names of contracts, structs and the like may stand for any type. */
function mayBe(parameter: string, type: string): boolean {
  const [word = ''] = parameter.trim().split(/\s+/);
  const base = word.replace(/\[.*$/, '');
  const array = word.slice(base.length);
  const written = (SHORT_TYPES.get(base) ?? base) + array;
  return !ELEMENTARY.test(written) || written === type;
}

function isGetter(text: string, name: string): boolean {
  const declaration = withoutComments(text).split(/=(?!>)|;/, 1)[0] ?? '';
  return (
    /\bpublic\b/.test(declaration) &&
    !/^(function|contract|library|constructor|modifier)\b/.test(declaration) &&
    declaration.trimEnd().endsWith(` ${name}`)
  );
}

/** A comment that is cut off reaches to the end. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*/g, ' ');
