import type { SourcePlace } from '../../api/source-locations';
import { lastUpTo } from './last-up-to';

const NEWLINE = 0x0a;

/** The compiled text of a source file. */
export class SourceText {
  readonly #bytes: Buffer;
  /** Offset of each line's first byte. */
  readonly #lines: readonly number[];

  /**
   * @param file its name within the compilation, such as `src/Vault.sol`
   * @param path of the file on this machine that had the same text
   */
  constructor(
    readonly file: string,
    text: string,
    readonly path?: string,
  ) {
    this.#bytes = Buffer.from(text);
    const lines = [0];
    for (
      let at = this.#bytes.indexOf(NEWLINE);
      at >= 0;
      at = this.#bytes.indexOf(NEWLINE, at + 1)
    ) {
      lines.push(at + 1);
    }
    this.#lines = lines;
  }

  get byteLength(): number {
    return this.#bytes.length;
  }

  /** The whole text. */
  get content(): string {
    return this.#bytes.toString('utf8');
  }

  slice(start: number, length: number): string {
    return this.#bytes.toString('utf8', start, start + length);
  }

  /** The line that has a byte, without its end. */
  lineAround(offset: number): string {
    const start = this.#lines[this.#lineIndex(offset)] ?? 0;
    const end = this.#bytes.indexOf(NEWLINE, start);
    return this.#bytes.toString('utf8', start, end < 0 ? undefined : end);
  }

  /** Lines and columns of a range of bytes; undefined if the text is too short. */
  place(start: number, length: number): SourcePlace | undefined {
    if (start + length > this.#bytes.length) return undefined;
    const from = this.#position(start);
    const to = this.#position(start + length);
    return {
      file: this.file,
      startLine: from.line,
      startColumn: from.column,
      endLine: to.line,
      endColumn: to.column,
    };
  }

  #position(offset: number): { line: number; column: number } {
    const index = this.#lineIndex(offset);
    const start = this.#lines[index] ?? 0;
    return { line: index + 1, column: this.#bytes.toString('utf8', start, offset).length + 1 };
  }

  #lineIndex(offset: number): number {
    return lastUpTo(this.#lines, offset);
  }
}
