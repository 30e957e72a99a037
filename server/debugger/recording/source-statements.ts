import { lastUpTo } from '../../contracts/sources/last-up-to';
import type { SourceText } from '../../contracts/sources/source-text';
import { plainSource } from './plain-source';

const [NEWLINE, OPEN, CLOSE, SEMICOLON] = [0x0a, 0x7b, 0x7d, 0x3b];
const [OPEN_ROUND, CLOSE_ROUND, OPEN_SQUARE, CLOSE_SQUARE] = [0x28, 0x29, 0x5b, 0x5d];
/** What a condition in parentheses follows; the statement after it is one of its own. */
const CONDITION = /^\s*(else\s+)?(if|while|for)\s*$/;
/** Braces with names and values, as in `send{value: 1}("")`. */
const NAMED = /^\s*[A-Za-z_$][\w$]*\s*:(?!=)/;
const LONGEST_NAME = 80;

const known = new WeakMap<SourceText, Uint32Array>();

/** Where the statement that has a place begins. The parts of `for (…; …; …)` are one statement, and a line of assembly is one. */
export function statementStart(text: SourceText, place: number): number {
  const starts = known.get(text) ?? readStarts(plainSource(text.content));
  known.set(text, starts);
  return starts[lastUpTo(starts, place)] ?? 0;
}

/** Reads Solidity roughly: without the syntax tree, which many verified contracts lack. */
function readStarts(plain: Buffer): Uint32Array {
  const starts = [0];
  /** Of the braces that are open. */
  const open: ('block' | 'assembly' | 'named')[] = [];
  let brackets = 0;
  let isCondition = false;
  let start = 0;
  /** Whether the statement has no parentheses yet. */
  let isHead = true;
  const begin = (at: number): void => {
    starts.push(at);
    start = at;
    isHead = true;
  };
  for (let at = 0; at < plain.length; at++) {
    const isInside = brackets > 0 || open.at(-1) === 'named';
    switch (plain[at] ?? 0) {
      case OPEN_ROUND:
        if (isHead) isCondition = CONDITION.test(plain.toString('latin1', start, at));
        isHead = false;
        brackets++;
        break;
      case OPEN_SQUARE:
        brackets++;
        break;
      case CLOSE_ROUND:
      case CLOSE_SQUARE:
        brackets = Math.max(0, brackets - 1);
        if (isCondition && brackets === 0) {
          begin(at + 1);
          isCondition = false;
        }
        break;
      case OPEN:
        if (isInside || NAMED.test(plain.toString('latin1', at + 1, at + LONGEST_NAME))) {
          open.push('named');
          break;
        }
        open.push(isAssembly(plain, start, at, open.at(-1)) ? 'assembly' : 'block');
        begin(at + 1);
        break;
      case CLOSE:
        if (open.pop() !== 'named') begin(at + 1);
        break;
      case SEMICOLON:
        if (!isInside) begin(at + 1);
        break;
      case NEWLINE:
        if (!isInside && open.at(-1) === 'assembly') begin(at + 1);
        break;
    }
  }
  return Uint32Array.from(starts);
}

const isAssembly = (plain: Buffer, start: number, at: number, around?: string): boolean =>
  around === 'assembly' || /^\s*assembly\b/.test(plain.toString('latin1', start, at));
