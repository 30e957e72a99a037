import assert from 'node:assert/strict';
import { atOnce } from '../../../../server/kernel/async/slices';
import {
  DeclaredFunctions,
  type WantedFunction,
} from '../../../../server/contracts/sources/function-ranges';

const find = (texts: (string | undefined)[], wanted: WantedFunction): number | undefined =>
  atOnce(
    DeclaredFunctions.work(
      texts.map((_, start) => ({ start, length: 1, file: 0 })),
      ({ start }) => texts[start],
    ),
  ).find(wanted)?.start;
const named = (name: string, ...types: string[]): WantedFunction => ({
  kind: 'function',
  name,
  types,
});

describe('the declaration of a function', () => {
  it('is found by name and by comparable types', () => {
    const texts = [
      'contract A { function swap(uint256 a) external {} }',
      undefined,
      'function swap(uint a, address payable to) external {}',
      'function swap(uint256 a, IERC20 token) external {}',
      'function swap(uint256[] memory a, bytes calldata) external {}',
      'function swapAll() external {}',
    ];
    assert.equal(find(texts, named('swap', 'uint256', 'address')), 2);
    assert.equal(find(texts, named('swap', 'uint256[]', 'bytes')), 4);
    assert.equal(find(texts, named('swapAll')), 5);
    assert.equal(find(texts.slice(3), named('swap', 'uint256', 'address')), 0);
    assert.equal(find(texts, named('swap', 'uint256')), undefined);
    assert.equal(find(texts, named('swap$')), undefined);
  });

  it('is read without its comments', () => {
    const text = 'function f( // one, two\n  uint8 a, /* (b) */ bool b\n) external {}';
    assert.equal(find([text], named('f', 'uint8', 'bool')), 0);
  });

  it('is the variable’s declaration for a getter, unless a function matches', () => {
    const texts = [
      'mapping(address => uint256) public balanceOf',
      'uint256 public constant LIMIT = 100',
      'function balanceOf(address a) external view returns (uint256) {}',
    ];
    assert.equal(find(texts, named('balanceOf', 'address')), 2);
    assert.equal(find(texts.slice(0, 2), named('balanceOf', 'address')), 0);
    assert.equal(find(texts, named('LIMIT')), 1);
    assert.equal(find(texts, named('IMIT')), undefined);
  });

  it('is found for unnamed functions', () => {
    const texts = ['receive() external payable {}', 'fallback (bytes calldata) external {}'];
    assert.equal(find(texts, { kind: 'receive' }), 0);
    assert.equal(find(texts, { kind: 'fallback' }), 1);
    assert.equal(find(texts, { kind: 'constructor' }), undefined);
  });
});
