import assert from 'node:assert/strict';
import { contractAround, isSilent, itemsOf } from '../../../server/debugger/recording/source-items';
import { SourceText } from '../../../server/contracts/sources/source-text';

const TEXT = `// SPDX-License-Identifier: MIT — with "quotes' and {braces
pragma solidity ^0.8.0;
uint constant LIMIT = 10;
struct Pair { uint a; uint b; }
function free(uint a) pure returns (uint) { return a; }
contract Shop /* { */ {
    string public constant name = "Sh{p";
    mapping(address => uint256) public balanceOf;
    uint256 public price = 5;
    uint256 total;
    event Sold(uint256 amount);
    struct Item { uint256 id; }
    /// It's a comment { with an apostrophe.
    constructor(uint256 p) { price = p; }
    modifier open() { require(price > 0); _; }
    // ü
    receive() external payable {}
    function sell(uint256 n) external open returns (uint256) {
        unchecked { total += n; }
        if (n > 1) { return n; }
        uint256 local;
        return local;
    }
}
`;

describe('the items of a source', () => {
  const text = new SourceText('Shop.sol', TEXT);
  const at = (part: string): number => Buffer.from(TEXT.slice(0, TEXT.indexOf(part))).length;

  it('include functions, from their first word to their last brace', () => {
    const heads = itemsOf(text).functions.map(({ start, end }) => {
      const whole = text.slice(start, end - start);
      return [whole.split('(')[0], whole.at(-1)];
    });
    assert.deepEqual(heads, [
      ['function free', '}'],
      ['constructor', '}'],
      ['receive', '}'],
      ['function sell', '}'],
    ]);
    const { start, end } = itemsOf(text).functions.at(-1)!;
    assert.equal(start, at('function sell'));
    assert.ok(text.slice(start, end - start).endsWith('return local;\n    }'));
  });

  it('include contracts, and name the one around a place', () => {
    const names = (part: string): string => contractAround(text, at(part));
    assert.deepEqual(
      itemsOf(text).contracts.map(({ name }) => name),
      ['Shop'],
    );
    assert.deepEqual(['function free', 'constructor', 'return local'].map(names), [
      '',
      'Shop',
      'Shop',
    ]);
    const more = new SourceText(
      'More.sol',
      'abstract contract A { function a() {} }\ninterface /* { */ B {}\nlibrary L { function l() { } }',
    );
    assert.deepEqual(
      itemsOf(more).contracts.map(({ name }) => name),
      ['A', 'B', 'L'],
    );
  });

  it('are found in linear time', () => {
    const hostile = `contract Long { string constant a = "${'/*'.repeat(500_000)}"; uint b; ${'/'.repeat(1_000_000)}`;
    // A quadratic reading would exceed the time-out of the test.
    assert.equal(itemsOf(new SourceText('Long.sol', hostile)).silent.length, 2);
  });

  it('tell constants and variables without a value, which execute nothing', () => {
    for (const silent of ['LIMIT', 'constant name', '"Sh{p"', 'balanceOf', 'total;']) {
      assert.equal(isSilent(text, at(silent)), true, silent);
    }
    for (const other of [
      'price = 5',
      'total += n',
      'uint256 local',
      'return a',
      'require',
      'p; }',
    ]) {
      assert.equal(isSilent(text, at(other)), false, other);
    }
  });

  it('are none for a text that is not Solidity', () => {
    for (const broken of ['', '}}}}', '{{{{', '"', '/*', '@version 0.4.0\ndef f():\n  pass']) {
      assert.deepEqual(itemsOf(new SourceText('x', broken)).functions, []);
    }
  });
});
