import { randomBytes } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PQueue from 'p-queue';

/** Bytes that are read from a file at a time. */
const PIECE = 256 * 1024;

/** Bytes on disk, read in the order in which they were written. The file has no name and is removed with its process. */
export class SpoolFile {
  readonly #writes = new PQueue({ concurrency: 1 });
  #handle: FileHandle | undefined;
  #queued = 0;
  #written = 0;
  #read = 0;

  constructor(private readonly folder = tmpdir()) {}

  /** Bytes that are not written yet. */
  get queued(): number {
    return this.#queued;
  }

  /** Bytes on disk, including those that are not written yet. */
  get size(): number {
    return this.#written + this.#queued;
  }

  /** Rejects if the disk is full. */
  append(bytes: Buffer): Promise<void> {
    this.#queued += bytes.length;
    return this.#writes.add(async () => {
      this.#handle ??= await this.#open();
      await this.#handle.writev([bytes], this.#written);
      this.#written += bytes.length;
      this.#queued -= bytes.length;
    });
  }

  /** @returns undefined if all written bytes were read */
  async next(): Promise<Buffer | undefined> {
    const length = Math.min(PIECE, this.#written - this.#read);
    if (length === 0 || !this.#handle) return undefined;
    const { buffer, bytesRead } = await this.#handle.read({
      buffer: Buffer.allocUnsafe(length),
      position: this.#read,
    });
    this.#read += bytesRead;
    return buffer.subarray(0, bytesRead);
  }

  async close(): Promise<void> {
    await this.#writes.add(async () => this.#handle?.close());
  }

  async #open(): Promise<FileHandle> {
    const path = join(this.folder, `forklens-${randomBytes(16).toString('hex')}`);
    const handle = await open(path, 'wx+', 0o600);
    await unlink(path);
    return handle;
  }
}
