import type { Writable } from 'node:stream';
import { SpoolFile } from './spool-file';
import { drained } from './write-text';

/** Disk space that the spools of a service share, in bytes. */
export interface SpoolSpace {
  readonly limit: number;
  used: number;
}

/** Bytes in memory for one reader. */
const IN_MEMORY = 256 * 1024;
/** Bytes that wait to be written to the disk. Beyond this number the source should pause. */
const MAX_QUEUED = 8 * 1024 * 1024;

/**
 * Accepts bytes at the speed of a source and sends them at the speed of a reader. Waiting bytes are in memory, and beyond a limit in a
 * temporary file, so a slow reader does not delay the source. A reader is disconnected if there is no disk space left for it.
 */
export class Spool {
  readonly #waiting: Buffer[] = [];
  #inMemory = 0;
  #file: SpoolFile | undefined;
  #isEnded = false;
  /** Counts events, so that the reader's loop looks again if one happened in between. */
  #news = 0;
  #resolveWait: () => void = () => undefined;

  /** @param onRoom called when the source may continue after `isBehind` */
  constructor(
    private readonly reader: Writable,
    private readonly space: SpoolSpace,
    private readonly onRoom: () => void,
  ) {
    reader.once('close', () => {
      this.#wake();
    });
    void this.#pump();
  }

  /** The disk is slower than the source. */
  get isBacklogged(): boolean {
    return (this.#file?.queued ?? 0) > MAX_QUEUED;
  }

  push(bytes: Buffer): void {
    if (this.reader.destroyed) return;
    if (!this.#file && this.#inMemory + bytes.length <= IN_MEMORY) {
      this.#waiting.push(bytes);
      this.#inMemory += bytes.length;
      this.#wake();
    } else this.#toFile(bytes);
  }

  /** Ends the reader when it has received all bytes. */
  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  #toFile(bytes: Buffer): void {
    const { space } = this;
    if (space.used + bytes.length > space.limit) {
      this.reader.destroy();
      return;
    }
    space.used += bytes.length;
    this.#file ??= new SpoolFile();
    void this.#file
      .append(bytes)
      .catch(() => this.reader.destroy())
      .finally(() => {
        if (!this.isBacklogged) this.onRoom();
        this.#wake();
      });
  }

  async #pump(): Promise<void> {
    const { reader } = this;
    try {
      if (reader.writableNeedDrain) await drained(reader);
      while (!reader.destroyed) {
        const seen = this.#news;
        const bytes = this.#waiting.shift() ?? (await this.#file?.next());
        if (bytes) {
          this.#inMemory -= bytes.length;
          if (!reader.write(bytes)) await drained(reader);
        } else if (seen === this.#news) {
          if (this.#isEnded && (this.#file?.queued ?? 0) === 0) break;
          await new Promise<void>((resolve) => (this.#resolveWait = resolve));
        }
      }
      reader.end();
    } catch {
      reader.destroy(); // the file cannot be read
    }
    this.space.used -= this.#file?.size ?? 0;
    await this.#file?.close().catch(() => undefined);
  }

  #wake(): void {
    this.#news++;
    this.#resolveWait();
  }
}
