import { fstatSync, write } from 'node:fs';
import { Socket } from 'node:net';

/** Bytes that wait for a reader or a disk. What comes when they are used up is dropped. */
const MAX_PENDING = 1024 * 1024;

/** Writes a text. @param done called once; with an error where not all of it was written */
export type WriteText = (text: string, done: (error?: Error | null) => void) => void;

/**
 * Takes the lines of a log and never holds up who logs: writes are asynchronous, waiting lines are bounded, and lines that
 * cannot be written are dropped. The next line that can be written says how many.
 */
export class LogStream {
  readonly #write: WriteText;
  #pending: string[] = [];
  #pendingBytes = 0;
  #writing = false;
  #dropped = 0;
  /** The last write may have left a part of a line. */
  #torn = false;
  #idle: (() => void)[] = [];

  constructor(to: WriteText = writerOf(2)) {
    this.#write = to;
  }

  /** @param line with its line break */
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

  /** Resolves when nothing waits, or the time is over. */
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

/** In the form of the other lines. */
const noteOf = (dropped: number): string => {
  const fields = { level: 40, time: Date.now(), pid: process.pid, dropped };
  return `${JSON.stringify({ ...fields, msg: 'lines of the log were dropped: they could not be written' })}\n`;
};

/**
 * A pipe or socket is written without blocking. A file, a terminal and a device are written by a thread of their own, which
 * may wait.
 */
function writerOf(fd: number): WriteText {
  const facts = fstatSync(fd);
  return facts.isFIFO() || facts.isSocket() ? pipeWriter(fd) : fileWriter(fd);
}

function pipeWriter(fd: number): WriteText {
  const socket = new Socket({ fd, readable: false, writable: true });
  socket.unref();
  // Told to each write as well.
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
