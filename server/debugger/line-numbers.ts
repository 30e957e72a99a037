import type { SourceMap } from '../sources/source-map';
import type { Program } from './program';
import { isSilent } from './silent-declarations';

/** A line of a source file. */
export interface SourceLine {
  /** The compiler's name of the file. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

const DECLARATION =
  /^(abstract|contract|library|interface|function|modifier|constructor|fallback|receive)\b/;
const LONGEST_KEYWORD = 16;

/** Numbers the lines of all sources. Looks up each offset of a source map once. */
export class LineNumbers {
  readonly lines: SourceLine[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #byOffset = new Map<SourceMap, Map<number, number | undefined>>();

  /** Number of the line of an instruction; undefined for code that the compiler adds to a function or contract. */
  at(program: Program, offset: number): number | undefined {
    const { map } = program;
    const known = this.#byOffset.get(map) ?? new Map<number, number | undefined>();
    this.#byOffset.set(map, known);
    if (known.has(offset)) return known.get(offset);
    const range = map.at(offset);
    const source = range && program.text(range.file);
    // Added code has the range of the declaration.
    const isStatement =
      source &&
      !DECLARATION.test(source.slice(range.start, LONGEST_KEYWORD)) &&
      !isSilent(source, range.start);
    const place = isStatement ? source.place(range.start, range.length) : undefined;
    const line = place && this.#numberOf(place.file, place.startLine);
    known.set(offset, line);
    return line;
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
