import assert from 'node:assert/strict';
import { SourceMap } from '../../../../server/contracts/sources/source-map';
import { SourceText } from '../../../../server/contracts/sources/source-text';

describe('a source map', () => {
  // PUSH1 0, PUSH2 0 0, STOP, JUMPDEST; then data without an entry.
  const map = SourceMap.of('1:2:0:-:0;;3::1;:4:-1', '6000610000005bfe')!;

  it('repeats empty fields, and skips the data of PUSH instructions', () => {
    assert.deepEqual(map.at(0), { start: 1, length: 2, file: 0 });
    assert.deepEqual(map.at(2), { start: 1, length: 2, file: 0 });
    assert.deepEqual(map.at(5), { start: 3, length: 2, file: 1 });
  });

  it('returns undefined for generated code, the inside of a PUSH, and offsets beyond its end', () => {
    for (const offset of [1, 3, 4, 6, 7, 8, 1000]) assert.equal(map.at(offset), undefined);
  });

  it('lists each range once', () => {
    assert.deepEqual(
      [...map.distinct()].map(({ start, file }) => [start, file]),
      [
        [1, 0],
        [3, 1],
      ],
    );
  });
});

describe('a source text', () => {
  const text = new SourceText('src/A.sol', 'é 😀x\r\nsecond\n');

  it('counts bytes for the compiler, and UTF-16 units for the editor', () => {
    // é has 2 bytes, the space 1, the emoji 4 (2 units), x 1.
    assert.deepEqual(text.place(7, 1), {
      file: 'src/A.sol',
      startLine: 1,
      startColumn: 5,
      endLine: 1,
      endColumn: 6,
    });
    assert.equal(text.place(10, 6)?.startLine, 2);
    assert.equal(text.place(10, 6)?.endColumn, 7);
    assert.equal(text.place(17, 0)?.startLine, 3);
  });

  it('has no place beyond its end', () => {
    assert.equal(text.place(10, 100), undefined);
  });
});
