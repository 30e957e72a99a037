import { fstatSync, write } from 'node:fs';
import { Socket } from 'node:net';

/** Bytes that may wait for a reader or a disk. Further lines are dropped. */
const MAX_PENDING = 1024 * 1024;

/** Writes a text. @param done called once, with an error if the text was not written completely */
export type WriteText = (text: string, done: (error?: Error | null) => void) => void;

/**
 * Writes the lines of a log without delaying the caller: writes are asynchronous, waiting lines are bounded, and lines that cannot be
 * written are dropped. The next successful write states how many.
 */
export class LogStream {
  readonly #write: WriteText;
  #pending: string[] = [];
  #pendingBytes = 0;
  #writing = false;
  #dropped = 0;
  /** The last write may have ended in the middle of a line. */
  #torn = false;
  #idle: (() => void)[] = [];

  constructor(to: WriteText = writerOf(2)) {
    this.#write = to;
  }

  /** @param line ends with a line break */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#pendingBytes + bytes > MAX_PENDING) {
      this.#dropped++;
      return;
    }
    this.#pending.push(line);
    this.#pendingBytes += bytes;
    this.#writeNext();
  }

  /** Resolves when no line is waiting, or after the deadline. */
  async flush(deadlineMs: number): Promise<void> {
    if (!this.#writing) return;
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve);
      setTimeout(resolve, deadlineMs);
    });
  }

  #writeNext(): void {
    if (this.#writing) return;
    const lines = this.#pending;
    if (lines.length === 0) {
      for (const resolve of this.#idle.splice(0)) resolve();
      return;
    }
    this.#pending = [];
    this.#pendingBytes = 0;
    const dropped = this.#dropped;
    const note = dropped === 0 ? '' : noteOf(dropped);
    this.#writing = true;
    this.#write(`${this.#torn ? '\n' : ''}${note}${lines.join('')}`, (error) => {
      this.#writing = false;
      this.#torn = Boolean(error);
      this.#dropped += error ? lines.length : -dropped;
      this.#writeNext();
    });
  }
}

/** A line in the format of the log. */
const noteOf = (dropped: number): string => {
  const fields = { level: 40, time: Date.now(), pid: process.pid, dropped };
  return `${JSON.stringify({ ...fields, msg: 'lines of the log were dropped: they could not be written' })}\n`;
};

/** Pipes and sockets are written without blocking. Files, terminals and devices are written by a thread of the pool, which may block. */
function writerOf(fd: number): WriteText {
  const facts = fstatSync(fd);
  return facts.isFIFO() || facts.isSocket() ? pipeWriter(fd) : fileWriter(fd);
}

function pipeWriter(fd: number): WriteText {
  const socket = new Socket({ fd, readable: false, writable: true });
  socket.unref();
  // The callback of each write gets the error as well.
  socket.on('error', () => undefined);
  return (text, done) => {
    socket.write(text, done);
  };
}

function fileWriter(fd: number): WriteText {
  const writeAll = (bytes: Buffer, done: (error?: Error | null) => void): void => {
    write(fd, bytes, (error, written) => {
      if (error || written === bytes.length) done(error);
      else writeAll(bytes.subarray(written), done);
    });
  };
  return (text, done) => {
    writeAll(Buffer.from(text), done);
  };
}
