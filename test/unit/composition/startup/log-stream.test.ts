import assert from 'node:assert/strict';
import { LogStream } from '../../../../server/composition/startup/log-stream';

/** A reader that accepts a text only when the test tells it to. */
class SlowReader {
  readonly texts: string[] = [];
  #done: ((error?: Error) => void) | undefined;

  readonly write = (text: string, done: (error?: Error | null) => void): void => {
    this.texts.push(text);
    this.#done = done;
  };

  take(error?: Error): void {
    const done = this.#done;
    this.#done = undefined;
    done?.(error);
  }
}

const countsIn = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { dropped: number }).dropped);

describe('LogStream', () => {
  it('writes lines in order, without blocking', async () => {
    const reader = new SlowReader();
    const log = new LogStream(reader.write);
    for (const line of ['a\n', 'b\n', 'c\n']) log.write(line);
    assert.deepEqual(reader.texts, ['a\n']);
    const flushed = log.flush(60_000);
    reader.take();
    assert.deepEqual(reader.texts, ['a\n', 'b\nc\n']);
    reader.take();
    await flushed;
  });

  it('drops lines beyond its bound if the reader is slow, and reports their number', () => {
    const reader = new SlowReader();
    const log = new LogStream(reader.write);
    const line = `${'x'.repeat(1023)}\n`;
    for (let i = 0; i < 2000; i++) log.write(line);
    reader.take();
    // One line was being written, and 1 MiB waited.
    const [note, ...rest] = reader.texts[1]!.split('\n');
    assert.deepEqual(countsIn(note!), [2000 - 1 - 1024]);
    assert.equal(rest.length, 1025);
    reader.take();
    log.write(line);
    assert.equal(reader.texts[2], line, 'reported once');
  });

  it('counts the lines that a full disk rejected, and ends the torn line', () => {
    const reader = new SlowReader();
    const log = new LogStream(reader.write);
    log.write('a\n');
    reader.take(new Error('ENOSPC'));
    log.write('b\n');
    reader.take(new Error('ENOSPC'));
    log.write('c\n');
    const text = reader.texts[2]!;
    assert.match(text, /^\n\{.*\}\nc\n$/);
    assert.deepEqual(countsIn(text), [2]);
  });

  it('does not delay the end of the process for long', async () => {
    const log = new LogStream(() => undefined);
    log.write('a\n');
    await log.flush(1);
  });
});
