import assert from 'node:assert/strict';
import { encodeRlp, keccak256 } from 'ethers';
import type { Hex } from '../../../../server/api/primitives';
import { orderedTrieRoot } from '../../../../server/evm/forms/ordered-trie';

/** Values of 40 bytes, each containing its index. */
const values = (count: number): Hex[] =>
  Array.from({ length: count }, (_, i): Hex => `0x${i.toString(16).padStart(80, 'a')}`);

describe('the root of an ordered trie', () => {
  it('is the root of the empty trie for an empty list', () => {
    assert.equal(
      orderedTrieRoot([]),
      '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    );
  });

  it('is a leaf for one value: the key 0x80, flagged as even and ending', () => {
    const [value] = values(1) as [Hex];
    assert.equal(orderedTrieRoot([value]), keccak256(encodeRlp(['0x2080', value])));
  });

  it('branches at the first nibble for two: 0x01 and 0x80', () => {
    const [first, second] = values(2) as [Hex, Hex];
    const branch: string[] = Array.from({ length: 17 }, () => '0x');
    branch[0] = keccak256(encodeRlp(['0x31', second]));
    branch[8] = keccak256(encodeRlp(['0x30', first]));
    assert.equal(orderedTrieRoot([first, second]), keccak256(encodeRlp(branch)));
  });

  it('differs for each order and number of values, including keys of more than one byte', () => {
    const roots = [1, 2, 16, 17, 127, 128, 129, 256, 300].map((n) => orderedTrieRoot(values(n)));
    const reversed = orderedTrieRoot(values(300).reverse());
    assert.equal(new Set([...roots, reversed]).size, roots.length + 1);
  });
});
