import type { SourceMap } from '../sources/source-map';
import type { Program } from './program';
import { isSilent } from './source-items';

/** A line of a source file. */
export interface SourceLine {
  /** The compiler's name of the file. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A statement, or a part of one, on a line. */
interface Statement {
  /** Number of the line. */
  readonly line: number;
  /** Whether it covers more lines. */
  readonly isLong: boolean;
}

/** Code that the compiler adds to a contract, function or block has the range of the whole. */
const WHOLE =
  /^(\{|(abstract|contract|library|interface|function|modifier|constructor|fallback|receive)\b)/;
const LONGEST_KEYWORD = 16;

/** Numbers the lines of all sources. Looks up each offset of a source map once. */
export class LineNumbers {
  readonly lines: SourceLine[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #byOffset = new Map<SourceMap, Map<number, Statement | undefined>>();

  /** The statement of an instruction; undefined for code that the compiler adds, or that several statements share. */
  at(program: Program, offset: number): Statement | undefined {
    const { map } = program;
    const known = this.#byOffset.get(map) ?? new Map<number, Statement | undefined>();
    this.#byOffset.set(map, known);
    if (known.has(offset)) return known.get(offset);
    const range = map.ownAt(offset);
    const source = range && program.text(range.file);
    const isStatement =
      source &&
      !WHOLE.test(source.slice(range.start, LONGEST_KEYWORD)) &&
      !isSilent(source, range.start);
    const place = isStatement ? source.place(range.start, range.length) : undefined;
    const statement = place && {
      line: this.#numberOf(place.file, place.startLine),
      isLong: place.endLine > place.startLine,
    };
    known.set(offset, statement);
    return statement;
  }

  /** Undefined if no instruction that was asked for is on the line. */
  find({ file, line }: SourceLine): number | undefined {
    return this.#numbers.get(`${line} ${file}`);
  }

  #numberOf(file: string, line: number): number {
    const key = `${line} ${file}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.lines.push({ file, line }) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}
