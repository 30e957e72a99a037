import assert from 'node:assert/strict';
import { LogStream } from '../../../server/log-stream';

/** A reader that takes a text only when the test says so. */
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
  it('writes lines in order, and never waits', async () => {
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

  it('drops what a reader does not take, up to its bound, and says how many lines that were', () => {
    const reader = new SlowReader();
    const log = new LogStream(reader.write);
    const line = `${'x'.repeat(1023)}\n`;
    for (let i = 0; i < 2000; i++) log.write(line);
    reader.take();
    // One was under way, and 1 MiB waited.
    const [note, ...rest] = reader.texts[1]!.split('\n');
    assert.deepEqual(countsIn(note!), [2000 - 1 - 1024]);
    assert.equal(rest.length, 1025);
    reader.take();
    log.write(line);
    assert.equal(reader.texts[2], line, 'told once');
  });

  it('counts what a full disk refused, and ends the torn line', () => {
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

  it('does not hold up the end of the process for long', async () => {
    const log = new LogStream(() => undefined);
    log.write('a\n');
    await log.flush(1);
  });
});
