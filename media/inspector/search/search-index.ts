import type { Names } from '../grammar/segment';
import type { FlowRow } from '../protocol';
import type { Matcher } from './matcher';
import { rowText } from './row-text';

/** How long one slice of work may hold the screen, in milliseconds: less than half a frame. */
const SLICE_MS = 7;
/** Rows between two looks at the clock. */
const STRIDE = 256;

/** Lets the browser paint and take input. A timer would be throttled; a message is not. */
function breath(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** The texts of rows, each made when it is first asked for and then kept. Rows may still be arriving at the end. */
export class SearchIndex {
  readonly #rows: readonly FlowRow[];
  readonly #names: Names;
  readonly #texts: string[] = [];

  constructor(rows: readonly FlowRow[], names: Names) {
    this.#rows = rows;
    this.#names = names;
  }

  /** @param index of a row */
  text(index: number): string {
    const row = this.#rows[index];
    return row ? (this.#texts[index] ??= rowText(row, this.#names)) : '';
  }

  /** Makes all texts ahead of the first search, between the frames. */
  async warm(signal: AbortSignal): Promise<void> {
    await this.#walk((_row, index) => {
      this.text(index);
    }, signal);
  }

  /**
   * Indices of the rows that match, ascending. Works in slices, so that the screen stays alive.
   * @throws the signal's reason once that is aborted
   */
  async search(matches: Matcher, signal: AbortSignal): Promise<number[]> {
    const found: number[] = [];
    await this.#walk((row, index) => {
      if (matches(row, () => this.text(index))) found.push(index);
    }, signal);
    return found;
  }

  async #walk(visit: (row: FlowRow, index: number) => void, signal: AbortSignal): Promise<void> {
    let sliceEnd = performance.now() + SLICE_MS;
    for (const [index, row] of this.#rows.entries()) {
      visit(row, index);
      if (index % STRIDE !== STRIDE - 1 || performance.now() < sliceEnd) continue;
      await breath();
      signal.throwIfAborted();
      sliceEnd = performance.now() + SLICE_MS;
    }
  }
}
