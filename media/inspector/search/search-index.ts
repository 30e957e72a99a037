import type { Names } from '../../../server/presentation/segment';
import type { FlowRow } from '../protocol/protocol';
import type { Matcher } from './matcher';
import { rowText } from './row-text';

/** Longest time that one slice of work may block rendering, in milliseconds: less than half a frame. */
const SLICE_MS = 7;
/** Rows between two checks of the clock. */
const STRIDE = 256;

/** Lets the browser paint and handle input. Uses a message, because timers are throttled. */
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

/** The texts of rows, each built on first use and then cached. Rows may still be appended. */
export class SearchIndex {
  readonly #rows: readonly FlowRow[];
  readonly #names: Names;
  readonly #texts: string[] = [];

  constructor(rows: readonly FlowRow[], names: Names) {
    this.#rows = rows;
    this.#names = names;
  }

  /** @param index index of a row */
  text(index: number): string {
    const row = this.#rows[index];
    return row ? (this.#texts[index] ??= rowText(row, this.#names)) : '';
  }

  /** Builds all texts before the first search, between frames. */
  async warm(signal: AbortSignal): Promise<void> {
    await this.#walk((_row, index) => {
      this.text(index);
    }, signal);
  }

  /**
   * Indices of the matching rows, ascending. Works in slices, so that the user interface stays responsive.
   * @throws the signal's reason once it is aborted
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
