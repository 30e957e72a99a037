import type { Work } from '../../kernel/async/slices';
import type { SourceRange } from './source-map';

/** The function to find: by name and types, or one of the unnamed kinds. */
export type WantedFunction =
  | { readonly kind: 'function'; readonly name: string; readonly types: readonly string[] }
  | { readonly kind: 'constructor' | 'fallback' | 'receive' };

/** Maximum length of a declaration that is examined, in bytes: the relevant part is at its start. */
export const DECLARATION_BYTES = 4_096;

/** Functions of one name that are compared. */
const MAX_OVERLOADS = 200;
const UNNAMED = /^(constructor|fallback|receive)\s*\(/;

const SHORT_TYPES: ReadonlyMap<string, string> = new Map([
  ['uint', 'uint256'],
  ['int', 'int256'],
]);
const ELEMENTARY = /^(u?int\d+|address|bool|string|bytes\d*)((\[\d*\])*)$/;

/** A function as it is declared. */
interface Declared {
  readonly range: SourceRange;
  /** As written. */
  readonly parameters: readonly string[];
}

/**
 * Declarations among the ranges of a contract's source map. The compiler maps a function's entry to its whole declaration, inherited ones
 * included, and the getter of a public variable to the variable's declaration. The ranges are read once for all functions.
 */
export class DeclaredFunctions {
  readonly #functions = new Map<string, Declared[]>();
  readonly #getters = new Map<string, SourceRange>();
  readonly #unnamed = new Map<string, SourceRange>();

  /** @param textOf start of the text of a range; undefined if unknown */
  static *work(
    ranges: Iterable<SourceRange>,
    textOf: (range: SourceRange) => string | undefined,
  ): Work<DeclaredFunctions> {
    const found = new DeclaredFunctions();
    for (const range of ranges) {
      const text = textOf(range);
      if (text !== undefined) found.#add(range, text);
      yield 1;
    }
    return found;
  }

  find(wanted: WantedFunction): SourceRange | undefined {
    if (wanted.kind !== 'function') return this.#unnamed.get(wanted.kind);
    const { name, types } = wanted;
    const overloads = this.#functions.get(name)?.slice(0, MAX_OVERLOADS) ?? [];
    const own = overloads.find(
      ({ parameters }) =>
        parameters.length === types.length &&
        parameters.every((parameter, index) => mayBe(parameter, types[index] ?? '')),
    );
    return own?.range ?? this.#getters.get(name);
  }

  #add(range: SourceRange, text: string): void {
    const [, kind] = UNNAMED.exec(text) ?? [];
    if (kind !== undefined) {
      if (!this.#unnamed.has(kind)) this.#unnamed.set(kind, range);
      return;
    }
    const head = /^function\s+([\w$]+)\s*\(/.exec(text);
    if (head) {
      const name = head[1] ?? '';
      const list = withoutComments(text.slice(head[0].length)).split(')', 1)[0] ?? '';
      const parameters = list.trim() === '' ? [] : list.split(',');
      const same = this.#functions.get(name) ?? [];
      same.push({ range, parameters });
      this.#functions.set(name, same);
      return;
    }
    const getter = getterIn(text);
    if (getter !== undefined) this.#getters.set(getter, range);
  }
}

/** Whether a parameter as written may have this type of the ABI: names of contracts, structs and the like may stand for any type. */
function mayBe(parameter: string, type: string): boolean {
  const [word = ''] = parameter.trim().split(/\s+/);
  const base = word.replace(/\[.*$/, '');
  const array = word.slice(base.length);
  const written = (SHORT_TYPES.get(base) ?? base) + array;
  return !ELEMENTARY.test(written) || written === type;
}

/** Name of the public variable that a text declares. */
function getterIn(text: string): string | undefined {
  if (/^(function|contract|library|constructor|modifier)\b/.test(text)) return undefined;
  const declaration = withoutComments(text).split(/=(?!>)|;/, 1)[0] ?? '';
  if (!/\bpublic\b/.test(declaration)) return undefined;
  return / ([\w$]+)$/.exec(declaration.trimEnd())?.[1];
}

/** A comment that is cut off reaches to the end. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*/g, ' ');
