import type { SourceMap, SourceRange } from '../../contracts/sources/source-map';
import type { SourceText } from '../../contracts/sources/source-text';
import { isLocalDeclaration } from './early-declarations';
import { isBefore, type Program } from './program';
import { isFunctionType, isSilent } from './source-items';
import { statementStart } from './source-statements';

/** A line of a source file. */
export interface SourceLine {
  /** The compiler's name of the file. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Of the file: compilations may have different files of one name. */
  readonly text: SourceText;
}

/** A line by its place; without a text, of all files of the name. */
export type LineQuery = Omit<SourceLine, 'text'> & Partial<Pick<SourceLine, 'text'>>;

/** A statement, or a part of one, on a line. */
export interface Statement {
  /** Number of the line. */
  readonly line: number;
  /** Number of the whole statement. */
  readonly statement: number;
  /** Whether it covers more lines. */
  readonly isLong: boolean;
  /** Whether its first line has a loop. The compiler makes loops for other statements too, such as those that copy arrays. */
  readonly isLoop: boolean;
  /** Whether it has other statements inside. */
  readonly isCompound: boolean;
}

/** Code that the compiler adds to a contract, function or block has the range of the whole. */
const WHOLE =
  /^(\{|(abstract|contract|library|interface|function|modifier|constructor|fallback|receive)\b)/;
const LONGEST_KEYWORD = 16;
const LOOP = /\b(for|while|do)\b/;

const isWhole = (source: SourceText, start: number): boolean =>
  WHOLE.test(source.slice(start, LONGEST_KEYWORD)) && !isFunctionType(source, start);

const isDeclared = (source: SourceText, { start, length }: SourceRange): boolean =>
  isLocalDeclaration(source, start, length);

/** Numbers the lines and statements of all sources. Looks up each offset of a source map once. */
export class LineNumbers {
  readonly lines: SourceLine[] = [];
  readonly #numbers = new Map<string, number[]>();
  /** By name of the file: texts that differ. */
  readonly #texts = new Map<string, SourceText[]>();
  readonly #canonical = new Map<SourceText, SourceText>();
  /** By the offset at which they begin. */
  readonly #statements = new Map<SourceText, Map<number, number>>();
  #statementCount = 0;
  readonly #byOffset = new Map<SourceMap, Map<number, Statement | undefined>>();

  /** The statement of an instruction; undefined for code that the compiler adds, or that several statements share. */
  at(program: Program, offset: number): Statement | undefined {
    const { map } = program;
    const known = this.#byOffset.get(map) ?? new Map<number, Statement | undefined>();
    this.#byOffset.set(map, known);
    if (known.has(offset)) return known.get(offset);
    const range = map.ownAt(offset);
    const source = range && program.text(range.file);
    const isStatement = source && !(isBefore(program, 5) && isDeclared(source, range));
    const statement = isStatement ? this.#statementAt(source, range) : undefined;
    known.set(offset, statement);
    return statement;
  }

  #statementAt(source: SourceText, { start, length }: SourceRange): Statement | undefined {
    if (isWhole(source, start) || isSilent(source, start)) return undefined;
    const place = source.place(start, length);
    if (!place) return undefined;
    const begin = statementStart(source, start);
    return {
      line: this.#numberOf(source, place.startLine),
      statement: this.#statementNumberOf(source, begin),
      isCompound: begin !== statementStart(source, start + length - 1),
      isLong: place.endLine > place.startLine,
      isLoop: LOOP.test(source.lineAround(start)),
    };
  }

  /** Numbers of a line; none if no instruction that was asked for is on it. */
  find({ file, line, text }: LineQuery): readonly number[] {
    const numbers = this.#numbers.get(`${line} ${file}`) ?? [];
    if (!text) return numbers;
    const wanted = this.canonical(text);
    return numbers.filter((number) => this.lines[number]?.text === wanted);
  }

  /** The first text of its name and content: one for all programs that have the file. */
  canonical(text: SourceText): SourceText {
    const known = this.#canonical.get(text);
    if (known) return known;
    const texts = this.#texts.get(text.file) ?? [];
    this.#texts.set(text.file, texts);
    const same = texts.find(
      (one) => one.byteLength === text.byteLength && one.content === text.content,
    );
    if (!same) texts.push(text);
    this.#canonical.set(text, same ?? text);
    return same ?? text;
  }

  /** Number of the statement that begins at an offset. */
  #statementNumberOf(source: SourceText, begin: number): number {
    const text = this.canonical(source);
    const numbers = this.#statements.get(text) ?? new Map<number, number>();
    this.#statements.set(text, numbers);
    const number = numbers.get(begin) ?? this.#statementCount++;
    numbers.set(begin, number);
    return number;
  }

  #numberOf(source: SourceText, line: number): number {
    const text = this.canonical(source);
    const [known] = this.find({ file: text.file, line, text });
    if (known !== undefined) return known;
    const number = this.lines.push({ file: text.file, line, text }) - 1;
    const key = `${line} ${text.file}`;
    this.#numbers.set(key, [...(this.#numbers.get(key) ?? []), number]);
    return number;
  }
}
