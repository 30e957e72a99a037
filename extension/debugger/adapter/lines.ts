import type { DebugProtocol } from '@vscode/debugprotocol';
import type { SourcePlace } from '../../../server/api/source-locations';

/** Lines of a statement; longer ranges are declarations. */
const LONGEST_SELECTION = 10;

/** Converts lines and columns between the interface, which counts from 1, and a client. */
export class Lines {
  readonly #firstLine: number;
  readonly #firstColumn: number;

  constructor({
    linesStartAt1 = true,
    columnsStartAt1 = true,
  }: Partial<DebugProtocol.InitializeRequestArguments>) {
    this.#firstLine = linesStartAt1 ? 1 : 0;
    this.#firstColumn = columnsStartAt1 ? 1 : 0;
  }

  toClient(line: number): number {
    return line - 1 + this.#firstLine;
  }

  fromClient(line: number): number {
    return line + 1 - this.#firstLine;
  }

  /** The start of a line, which counts from 1. */
  start(line: number): { line: number; column: number } {
    return { line: this.toClient(line), column: this.#firstColumn };
  }

  /** Clients select the range. That of generated code is its whole contract: then it is the beginning alone. */
  place(place: SourcePlace): {
    line: number;
    column: number;
    endLine?: number;
    endColumn?: number;
  } {
    const column = (one: number): number => one - 1 + this.#firstColumn;
    return {
      line: this.toClient(place.startLine),
      column: column(place.startColumn),
      ...(place.endLine - place.startLine < LONGEST_SELECTION && {
        endLine: this.toClient(place.endLine),
        endColumn: column(place.endColumn),
      }),
    };
  }
}
