import type { Writable } from 'node:stream';
import { drained } from '../../kernel/streams/write-text';

/** Characters that are written at a time. */
const PIECE = 64 * 1024;

/** Writes texts in their order, at the speed of the reader: what a slow reader has not taken is not made yet. */
export class PacedWriter {
  readonly #waiting: Iterable<string>[] = [];
  #work = Promise.resolve();
  #isWriting = false;
  #isGone = false;
  #failure: { reason: unknown } | undefined;

  constructor(private readonly stream: Writable) {
    // The reader may exit early, like `head`: nothing more is made then.
    stream.once('error', () => {
      this.#isGone = true;
    });
  }

  /** @param pieces of one text; the first ones are written at once if nothing waits */
  write(pieces: Iterable<string>): void {
    this.#waiting.push(pieces);
    if (!this.#isWriting) this.#work = this.#writeAll();
  }

  /** Resolves when everything is written, or when the reader is gone. @throws what made a piece has thrown */
  async flushed(): Promise<void> {
    await this.#work;
    if (this.#failure) throw this.#failure.reason;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
        for (const piece of gathered(next)) {
          if (this.#isGone || this.stream.destroyed) break;
          if (!this.stream.write(piece)) await drained(this.stream);
        }
      }
    } catch (reason) {
      this.#failure ??= { reason };
    } finally {
      this.#isWriting = false;
    }
  }
}

/** Pieces of a useful size. */
function* gathered(pieces: Iterable<string>): Generator<string> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
