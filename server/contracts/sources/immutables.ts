import type { Hex } from '../../api/primitives';
import type { CompiledContract } from './compiled-contract';
import type { ImmutableRange } from './compilation';
import type { SourceText } from './source-text';

/** An immutable variable of deployed code. */
export interface NamedImmutable {
  /** Id of its declaration in the syntax tree. */
  readonly id: string;
  /** Empty if unknown. */
  readonly name: string;
  /** As written in its declaration; empty if unknown. */
  readonly type: string;
  readonly ranges: readonly ImmutableRange[];
}

const MAX_IMMUTABLES = 256;
/** Maximum length of the text of a declaration or of an expression. */
const MAX_TEXT = 300;
const WORD = 'immutable';
/** Words that are read as declarations, comments included. With more of them in the sources, no immutable has a name. */
const MAX_WORDS = 5_000;

/**
 * Names immutables by the source map: the instruction that reads one is mapped to the expression that names it, or to the declaration of a
 * public one. The name is unknown if the instructions disagree.
 */
export function namedImmutables(contract: CompiledContract): NamedImmutable[] {
  const references = Object.entries(contract.compilation.immutableReferences ?? {});
  if (references.length === 0) return [];
  const declared = declarations(contract.texts.values());
  return references.slice(0, MAX_IMMUTABLES).map(([id, ranges]) => {
    const names = new Set(
      ranges.flatMap(({ start }) => nameAt(contract, start - 1, declared) ?? []),
    );
    const [name = '', ...others] = names;
    if (others.length > 0) return { id, name: '', type: '', ranges };
    const [type = '', ...otherTypes] = declared.get(name) ?? [];
    return { id, name, type: otherTypes.length > 0 ? '' : type, ranges };
  });
}

/** The word of an immutable in deployed code; undefined if the code is too short. */
export function immutableValue({ ranges }: NamedImmutable, code: Hex): Hex | undefined {
  const [range] = ranges;
  if (!range) return undefined;
  const digits = code.slice(2 + range.start * 2, 2 + (range.start + range.length) * 2);
  return digits.length === range.length * 2 ? `0x${digits}` : undefined;
}

/** @param offset of the PUSH whose data is the immutable's value */
function nameAt(
  contract: CompiledContract,
  offset: number,
  declared: ReadonlyMap<string, unknown>,
): string | undefined {
  const range = contract.deployed?.at(offset);
  if (!range || range.length > MAX_TEXT) return undefined;
  const text = contract.text(range.file)?.slice(range.start, range.length) ?? '';
  const name =
    /^(?:[\w$]+\s*\.\s*)?([\w$]+)$/.exec(text)?.[1] ?? declarationOf(text.replace(/;$/, ''))?.name;
  return name !== undefined && declared.has(name) ? name : undefined;
}

interface Declaration {
  readonly type: string;
  readonly name: string;
}

/** Types of the declared immutables by name. */
function declarations(texts: Iterable<SourceText>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  let words = 0;
  for (const { content } of texts) {
    for (let at = content.indexOf(WORD); at >= 0; at = content.indexOf(WORD, at + 1)) {
      if (++words > MAX_WORDS) return new Map();
      const before = content.slice(Math.max(0, at - MAX_TEXT), at);
      const after = content.slice(at, at + MAX_TEXT);
      const start = Math.max(...[';', '{', '}', '*/'].map((end) => before.lastIndexOf(end)));
      const statement = before.slice(start + 1) + (after.split(/[;=]/, 1)[0] ?? '');
      const declaration = declarationOf(statement.replace(/\/\/[^\n]*/g, ' '));
      if (!declaration) continue;
      const types = found.get(declaration.name) ?? new Set();
      found.set(declaration.name, types.add(declaration.type));
    }
  }
  return found;
}

/** @param text a declaration without its value */
function declarationOf(text: string): Declaration | undefined {
  const words = (text.split('=', 1)[0] ?? '').replace(/\([^()]*\)/g, ' ').match(/[\w$.]+/g) ?? [];
  const [type, second] = words;
  const name = words.at(-1);
  if (type === undefined || name === undefined || words.length < 3) return undefined;
  if (!words.slice(1, -1).includes(WORD)) return undefined;
  return { type: second === 'payable' ? `${type} payable` : type, name };
}
