import type { SourceText } from '../../contracts/sources/source-text';
import { statementStart } from './source-statements';

/** A type and a name, without a value. */
const DECLARATION =
  /^(?!(?:delete|emit|new|return)\b)(?:mapping\s*\([^;]*\)|function\s*\([^;{]*\)[\w\s]*?|[\w$.]+)(?:\s*\[[^\]]*\])*(?:\s+(?:storage|memory))?(?:\s+|(?<=\]))[\w$]+$/;
/** What a declaration may follow in its statement: nothing, or the head of a loop. */
const BEFORE = /^\s*(?:for\s*\(\s*)?$/;
/** A name in `var (a, b) = f()`. */
const IN_TUPLE = /^\s*(?:for\s*\(\s*)?var\s*\([^=;]*$/;
const NAME = /^[A-Za-z_$][\w$]*$/;
const LONGEST_DECLARATION = 500;

/**
 * Whether a range is the declaration of a local variable alone. Before Solidity 0.5 a function makes all its variables where it begins, each
 * with the place of its declaration: that executes no statement.
 */
export function isLocalDeclaration(text: SourceText, start: number, length: number): boolean {
  if (length > LONGEST_DECLARATION) return false;
  const own = text.slice(start, length);
  const begin = statementStart(text, start);
  const before = text.slice(begin, start - begin);
  return (
    (DECLARATION.test(own) && BEFORE.test(before)) || (NAME.test(own) && IN_TUPLE.test(before))
  );
}
