import assert from 'node:assert/strict';
import { Interface, keccak256 } from 'ethers';
import { debug, shown, type Run } from './debugged';

const TERMS = 40;
const LEVELS = 15;
const chain = Array.from({ length: LEVELS }, (_, level) => {
  const inner = level + 1 === LEVELS ? '1' : `C${level + 1}`;
  return `    uint256 constant C${level} = ${Array(TERMS).fill(inner).join(' + ')};`;
});
const TEXT = `pragma solidity ^0.8.0;
contract Shop {
    struct Tree { uint256 value; Tree[] branches; }
${chain.join('\n')}
    bool done;
    Tree root;
    function take(bytes calldata data) external { done = true; }
    function show(Tree memory tree) internal pure returns (uint256) { return tree.value; }
    function count(uint256[] calldata list) external pure returns (uint256) { return list.length; }
}`;
const DATA = `0x${'5a'.repeat(70_000)}`;

describe('expressions and sources that would take long or fail', function () {
  const run: Run = {
    text: TEXT,
    contract: 'Shop',
    call: 'function take(bytes)',
    values: [DATA],
    otherStorage: () => 0n,
  };
  const shop = debug(run).at('done = true;');

  for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf']) {
    it(`a name that every object of JavaScript has is not known: ${name}`, () => {
      assert.throws(() => shop.evaluate(name), {
        name: 'ExpressionError',
        message: new RegExp(`^${name} is not known here`),
      });
      assert.throws(() => shop.evaluate(`${name}(1)`), { name: 'ExpressionError' });
      assert.throws(() => shop.evaluate(`msg.${name}`), { name: 'ExpressionError' });
    });
  }

  for (const [expression, message] of [
    ['0x', /^found "x" where an operator or the end is expected/],
    ['0x_', /^found "x_" where an operator or the end is expected/],
    ['', /^the expression ends where a value is expected/],
    ['keccak256()', /^keccak256 takes one argument, not 0/],
    ['1 / 0', /^division by zero/],
    ['1 % (2 - 2)', /^division by zero/],
    ['0 ** -1', /^division by zero/],
    ['2 ** (2 ** 4000)', /^whole exponents up to 4096 are accepted/],
    ['1 << (2 ** 300)', /^shifts by 0 to 4096 bits are accepted/],
    ['this[1 ** 999999999999]', /^whole exponents up to 4096 are accepted/],
    ['\u0000', /is not accepted; accepted are names/],
  ] as const) {
    it(`are refused: ${JSON.stringify(expression)}`, () => {
      assert.throws(() => shop.evaluate(expression), { name: 'ExpressionError', message });
    });
  }

  it('long ones without parentheses are evaluated', () => {
    assert.equal(shop.evaluate(Array(900).fill('1').join('+')).value, '900');
    assert.throws(() => shop.evaluate(`msg${'.a'.repeat(900)}`), /msg has no member a/);
  });

  it('the hash of bytes that are not read as a whole is unavailable', () => {
    const reason = 'only the first 65536 of its 70000 bytes are read';
    assert.equal(shop.evaluate('keccak256(data)').unavailable, reason);
    assert.equal(shop.evaluate('data == data').unavailable, reason);
    assert.equal(shop.evaluate('data.length').value, '70000');
    const whole = new Interface([run.call!]).encodeFunctionData('take', [DATA]);
    assert.equal(shop.evaluate('keccak256(msg.data)').value, keccak256(whole));
    assert.equal(shop.evaluate('keccak256("")').value, keccak256('0x'));
  });

  it('constants that name each other are evaluated once', () => {
    const last = shown(shop.list('state').variables).find((one) => one.startsWith('C0 '));
    assert.equal(last, `C0 = ${BigInt(TERMS) ** BigInt(LEVELS)}`);
  });

  it('a struct that contains itself is no argument of another type', () => {
    assert.throws(
      () => shop.evaluate('count(root)'),
      /a value of Shop.Tree is not of type uint256\[\]/,
    );
    assert.equal(shop.evaluate('root.branches.length').value, '0');
    const { unavailable } = shop.evaluate('count(root.branches)');
    assert.equal(unavailable, 'its type contains itself');
  });
});
