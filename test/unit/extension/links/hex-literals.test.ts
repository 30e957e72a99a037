import assert from 'node:assert/strict';
import { hexLiteralAt, hexLiterals } from '../../../../extension/links/hex-literals';

const HASH = `0x${'aB'.repeat(32)}`;
const ADDRESS = `0x${'Cd'.repeat(20)}`;

describe('hashes and addresses in a line', () => {
  it('are found with their position, in lower case', () => {
    assert.deepEqual(hexLiterals(`tx: ${HASH} to="${ADDRESS}"`), [
      { kind: 'transaction', start: 4, length: 66, value: HASH.toLowerCase() },
      { kind: 'address', start: 75, length: 42, value: ADDRESS.toLowerCase() },
    ]);
  });

  it('are found inside links of a block explorer', () => {
    const [found] = hexLiterals(`https://etherscan.io/tx/${HASH}#eventlog`);
    assert.equal(found?.start, 24);
  });

  for (const text of [
    `${HASH}0`,
    `${ADDRESS}ab`,
    `a${ADDRESS}`,
    `00${HASH}`,
    HASH.slice(2),
    HASH.slice(0, -1),
    `${ADDRESS}g`,
    '0x',
    '',
  ]) {
    it(`are not found in ${text.slice(0, 6)}… of ${text.length} characters`, () => {
      assert.deepEqual(hexLiterals(text), []);
    });
  }

  it('are found at every offset from their first character to right after their last', () => {
    const line = `  ${ADDRESS}  `;
    const at = (offset: number) => hexLiteralAt(line, offset)?.kind;
    assert.equal(at(1), undefined);
    assert.equal(at(2), 'address');
    assert.equal(at(44), 'address');
    assert.equal(at(45), undefined);
  });
});
