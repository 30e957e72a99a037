import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { PacedWriter } from '../../../server/cli/output/paced-writer';

const LINE = 'x'.repeat(1_000);

/** A reader that takes one chunk each time it is asked to. */
class SlowReader extends Writable {
  text = '';
  #taken: (() => void) | undefined;

  constructor() {
    super({ highWaterMark: 1, decodeStrings: false });
  }

  override _write(chunk: string, _: BufferEncoding, done: () => void): void {
    this.text += chunk;
    this.#taken = done;
  }

  /** Takes all chunks that come. */
  async takeAll(): Promise<void> {
    while (this.#taken) {
      const taken = this.#taken;
      this.#taken = undefined;
      taken();
      await new Promise(setImmediate);
    }
  }
}

/** Lines that are counted when they are made. */
function* counted(count: number, made: { lines: number }): Generator<string> {
  for (; made.lines < count; made.lines++) yield LINE;
}

describe('the output of the command line', () => {
  it('makes no more of a text than its reader takes', async () => {
    const reader = new SlowReader();
    const writer = new PacedWriter(reader);
    const made = { lines: 0 };
    writer.write(counted(10_000, made));
    await new Promise(setImmediate);
    assert.ok(made.lines < 100, `${made.lines} lines are made`);
    const flushed = writer.flushed();
    await reader.takeAll();
    await flushed;
    assert.equal(reader.text, LINE.repeat(10_000));
  });

  it('writes texts in their order', async () => {
    const reader = new SlowReader();
    const writer = new PacedWriter(reader);
    for (const text of ['a', 'b', 'c']) writer.write([text]);
    assert.equal(reader.text, 'a');
    const flushed = writer.flushed();
    await reader.takeAll();
    await flushed;
    assert.equal(reader.text, 'abc');
  });

  it('ends quietly where the reader is gone', async () => {
    const gone = new Writable({
      write: (_, __, done) => {
        done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      },
    });
    const writer = new PacedWriter(gone);
    const made = { lines: 0 };
    writer.write(counted(10_000, made));
    await writer.flushed();
    assert.ok(made.lines < 200, `${made.lines} lines are made`);
  });

  it('fails with what made a text has thrown', async () => {
    const writer = new PacedWriter(
      new Writable({
        write: (_, __, done) => {
          done();
        },
      }),
    );
    writer.write(
      (function* failing(): Generator<string> {
        yield 'a';
        throw new Error('no such name');
      })(),
    );
    await assert.rejects(writer.flushed(), /no such name/);
  });
});
