import type { DebugProtocol } from '@vscode/debugprotocol';
import type { SourcePlace } from '../../../server/api/source-locations';

/** Converts lines and columns between the interface, which counts from 1, and a client. */
export class Lines {
  private readonly firstLine: number;
  private readonly firstColumn: number;

  constructor({
    linesStartAt1 = true,
    columnsStartAt1 = true,
  }: Partial<DebugProtocol.InitializeRequestArguments>) {
    this.firstLine = linesStartAt1 ? 1 : 0;
    this.firstColumn = columnsStartAt1 ? 1 : 0;
  }

  toClient(line: number): number {
    return line - 1 + this.firstLine;
  }

  fromClient(line: number): number {
    return line + 1 - this.firstLine;
  }

  place(place: SourcePlace): { line: number; column: number; endLine: number; endColumn: number } {
    const column = (one: number): number => one - 1 + this.firstColumn;
    return {
      line: this.toClient(place.startLine),
      column: column(place.startColumn),
      endLine: this.toClient(place.endLine),
      endColumn: column(place.endColumn),
    };
  }
}
