import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { Spool, type SpoolSpace } from '../../../../server/kernel/streams/spool';
import { eventually } from '../../../support/eventually';

const MEBIBYTE = 1024 * 1024;
const numbered = (number: number): Buffer => {
  const chunk = Buffer.alloc(64 * 1024);
  chunk.writeUInt32BE(number);
  return chunk;
};

const freed = (space: SpoolSpace): Promise<void> =>
  eventually(() => {
    assert.equal(space.used, 0);
  });

describe('a spool', () => {
  it('keeps the order for a slow reader, and leaves nothing on disk', async () => {
    const space: SpoolSpace = { limit: 64 * MEBIBYTE, used: 0 };
    const reader = new PassThrough({ highWaterMark: 1024 });
    const spool = new Spool(reader, space, () => undefined);
    for (let number = 0; number < 200; number++) spool.push(numbered(number));
    spool.end();
    // All except the part in memory.
    assert.equal(space.used, 196 * 64 * 1024);
    const seen: number[] = [];
    let rest = Buffer.alloc(0);
    for await (const piece of reader) {
      rest = Buffer.concat([rest, piece as Buffer]);
      for (; rest.length >= 64 * 1024; rest = rest.subarray(64 * 1024)) {
        seen.push(rest.readUInt32BE());
      }
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 200 }, (_, number) => number),
    );
    await freed(space);
  });

  it('disconnects a reader if there is no disk space left', async () => {
    const space: SpoolSpace = { limit: MEBIBYTE, used: 0 };
    const reader = new PassThrough({ highWaterMark: 1024 });
    const closed = once(reader, 'close');
    const spool = new Spool(reader, space, () => undefined);
    for (let number = 0; number < 40; number++) spool.push(numbered(number));
    await closed;
    assert.ok(reader.destroyed);
    await freed(space);
  });
});
