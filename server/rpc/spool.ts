import type { Writable } from 'node:stream';
import { SpoolFile } from './spool-file';
import { drained } from './write-text';

/** Disk that the spools of a service share, in bytes. */
export interface SpoolSpace {
  readonly limit: number;
  used: number;
}

/** Bytes that wait in memory for one reader. */
const IN_MEMORY = 256 * 1024;
/** Bytes on their way to the disk, beyond which their source should wait. */
const MAX_QUEUED = 8 * 1024 * 1024;

/**
 * Takes bytes as fast as they come, and gives them to a reader as fast as it takes them. What waits is in memory, and beyond a bound in a
 * temporary file: so a slow reader holds nobody up. A reader for whom there is no disk left is cut off.
 */
export class Spool {
  readonly #waiting: Buffer[] = [];
  #inMemory = 0;
  #file: SpoolFile | undefined;
  #isEnded = false;
  /** How often something came: the reader's side looks again where it did meanwhile. */
  #news = 0;
  #wake: () => void = () => undefined;

  /** @param onRoom called when the source may go on after `isBehind` */
  constructor(
    private readonly reader: Writable,
    private readonly space: SpoolSpace,
    private readonly onRoom: () => void,
  ) {
    reader.once('close', () => {
      this.#tell();
    });
    void this.#pump();
  }

  /** The disk is slower than the source. */
  get isBehind(): boolean {
    return (this.#file?.queued ?? 0) > MAX_QUEUED;
  }

  push(bytes: Buffer): void {
    if (this.reader.destroyed) return;
    if (!this.#file && this.#inMemory + bytes.length <= IN_MEMORY) {
      this.#waiting.push(bytes);
      this.#inMemory += bytes.length;
      this.#tell();
    } else this.#toFile(bytes);
  }

  /** All was pushed: the reader is ended when it has all of it. */
  end(): void {
    this.#isEnded = true;
    this.#tell();
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
        if (!this.isBehind) this.onRoom();
        this.#tell();
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
          await new Promise<void>((resolve) => (this.#wake = resolve));
        }
      }
      reader.end();
    } catch {
      reader.destroy(); // the file cannot be read
    }
    this.space.used -= this.#file?.size ?? 0;
    await this.#file?.close().catch(() => undefined);
  }

  #tell(): void {
    this.#news++;
    this.#wake();
  }
}
