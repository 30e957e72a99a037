import assert from 'node:assert/strict';
import { keccak256, solidityPackedKeccak256 } from 'ethers';
import { Unavailable } from '../../../server/debugger/languages/port/unavailable';
import { debug } from './debugged';
import { CALLER, SENDER } from './record';

const TEXT = `
pragma solidity ^0.8.0;
contract Shop {
    enum Color { Red, Green, Blue }
    type Price is uint64;
    struct Item { uint256 amount; address owner; uint8[] parts; }
    mapping(address => mapping(uint256 => Item)) items;
    mapping(bytes4 => uint256) codes;
    mapping(int8 => uint256) signs;
    mapping(Color => uint256) colors;
    mapping(Price => uint256) prices;
    mapping(bool => uint256) answers;
    uint256[] list;
    uint128 low;
    uint64 high;
    bool done;
    string name;
    uint256[3] three;
    function run(uint256 a, int256 b, bytes calldata data) external payable {
        items[msg.sender][a] = Item(10, msg.sender, new uint8[](2));
        codes[0x01020304] = 5;
        signs[-3] = 6;
        colors[Color.Green] = 7;
        prices[Price.wrap(9)] = 8;
        answers[true] = 9;
        list.push(100);
        list.push(200);
        name = "shop";
        low = 3;
        high = 4;
        three[2] = 33;
        uint8 small = 250;
        bytes32 word = bytes32(uint256(0x1234) << 240);
        Color color = Color.Blue;
        Price price = Price.wrap(9);
        address payable who = payable(msg.sender);
        done = true;
    }
}`;

describe('expressions', function () {
  const debugged = debug({
    text: TEXT,
    contract: 'Shop',
    call: 'function run(uint256, int256, bytes)',
    values: [5, -7, '0x0badcafe'],
    value: 12n,
    otherStorage: () => 0n,
  });
  const at = debugged.at('done = true;');

  for (const [expression, expected] of [
    // literals
    ['12', '12'],
    ['1_000', '1000'],
    ['0xff', '255'],
    ['2.5 ether', '2500000000000000000'],
    ['1e3 gwei', '1000000000000'],
    ['3 days + 1 hours', '262800'],
    ['-5', '-5'],
    ['true', 'true'],
    ['"a \\"text\\""', '"a \\"text\\""'],
    ["'\\x41\\u00e4'", '"Aä"'],
    ['hex"00ff"', 'hex"00ff"'],
    [`0x${'c1'.repeat(20)}`, CALLER],
    // variables and members
    ['a', '5'],
    ['b', '-7'],
    ['small', '250'],
    ['color', 'Shop.Color.Blue'],
    ['price', '9'],
    ['who', SENDER],
    ['data', 'hex"0badcafe"'],
    ['data.length', '4'],
    ['data[1]', '0xad'],
    ['word[1]', '0x34'],
    ['items[msg.sender][a].amount', '10'],
    [`items[${SENDER}][5].owner`, SENDER],
    ['items[who][5].parts.length', '2'],
    ['codes[0x01020304]', '5'],
    ['signs[-3]', '6'],
    ['colors[Color.Green]', '7'],
    ['colors[1]', '7'],
    ['prices[price]', '8'],
    ['prices[9]', '8'],
    ['answers[true]', '9'],
    ['list[list.length - 1]', '200'],
    ['three[2]', '33'],
    ['Color.Red', 'Shop.Color.Red'],
    // message and block
    ['msg.sender', SENDER],
    ['msg.value', '12'],
    ['msg.data.length', '164'],
    ['tx.origin == msg.sender', 'true'],
    ['block.number', '7'],
    ['block.timestamp', '1700000000'],
    ['block.chainid', '1'],
    ['this', CALLER],
    ['address(this).balance', '12'],
    ['gasleft() > 0', 'true'],
    // arithmetic, comparison, logic
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['2 ** 3 ** 2', '512'],
    ['7 / 2 * 2', '7'],
    ['a / 2', '2'],
    ['b / 2', '-3'],
    ['b % 4', '-3'],
    ['10 % 4', '2'],
    ['a * 3 - 5', '10'],
    ['a << 2', '20'],
    ['small >> 4', '15'],
    ['small & 0x0f | 1', '11'],
    ['~small', '5'],
    ['-b', '7'],
    ['a > 4 && b < 0', 'true'],
    ['a == 5 ? "five" : "other"', '"five"'],
    ['!done || false', 'true'],
    ['1 ether == 1e18', 'true'],
    ['name == "shop"', 'true'],
    ['color == Color.Blue', 'true'],
    ['uint8(color)', '2'],
    ['who != address(0)', 'true'],
    ['low + high', '7'],
    ['false && 1 / 0 == 1', 'false'],
    // conversions
    ['uint8(300 - 50)', '250'],
    ['uint8(a + 256)', '5'],
    ['int8(small)', '-6'],
    ['uint256(b)', (2n ** 256n - 7n).toString()],
    ['address(uint160(18))', `0x${'0'.repeat(38)}12`],
    ['bytes4(data[0])', '0x0b000000'],
    ['bytes4(msg.sig) == msg.sig', 'true'],
    ['uint256(bytes32(a))', '5'],
    ['bytes2(word)', '0x1234'],
    ['bytes3("ab")', '0x616200'],
    ['string(data).length', '4'],
    ['bytes(name)[0]', '0x73'],
    ['type(uint8).max', '255'],
    ['type(int16).min', '-32768'],
    ['type(Color).max', 'Shop.Color.Blue'],
    ['Price.unwrap(price) + 1', '10'],
    ['Price.wrap(3)', '3'],
    ['Color(0)', 'Shop.Color.Red'],
    ['payable(msg.sender)', SENDER],
    ['keccak256("shop")', keccak256(Buffer.from('shop'))],
    ['keccak256(data) == keccak256(hex"0badcafe")', 'true'],
  ] as const) {
    it(`are evaluated: ${expression}`, () => {
      const { value, unavailable } = at.evaluate(expression);
      assert.deepEqual([value, unavailable], [expected, undefined]);
    });
  }

  for (const [expression, message] of [
    ['', 'the expression ends where a value is expected (at character 1 of the expression)'],
    ['1 +', 'the expression ends where a value is expected (at character 4 of the expression)'],
    [
      'a b',
      'found "b" where an operator or the end is expected (at character 3 of the expression)',
    ],
    ['list[1', 'the expression ends where "]" is expected (at character 7 of the expression)'],
    [
      'a # 2',
      '"#" is not accepted; accepted are names, numbers, texts in quotes and operators (at character 3 of the expression)',
    ],
    [
      '"open',
      '"\\"" is not accepted; accepted are names, numbers, texts in quotes and operators (at character 1 of the expression)',
    ],
    ['1 / 0', 'division by zero (at character 3 of the expression)'],
    ['a / 0', 'division by zero (at character 3 of the expression)'],
    ['a - 6', 'the result -1 is outside of uint256 (at character 3 of the expression)'],
    ['small + 10', 'the result 260 is outside of uint8 (at character 7 of the expression)'],
    ['a + b', '"+" is not defined for uint256 and int256 (at character 3 of the expression)'],
    ['a && true', 'uint256 is not a bool (at character 1 of the expression)'],
    ['uint8(256)', 'the number 256 is not of type uint8 (at character 6 of the expression)'],
    ['uint8("a")', 'a value of string is not of type uint8 (at character 6 of the expression)'],
    [
      'msg',
      'msg is not a value; accepted is one of its members: sender, value, data, sig (at character 1 of the expression)',
    ],
    [
      'msg.from',
      'msg has no member from; accepted are sender, value, data, sig (at character 5 of the expression)',
    ],
    ['a.x', 'uint256 has no member x (at character 3 of the expression)'],
    ['a[1]', 'uint256 has no elements (at character 2 of the expression)'],
    ['items["x"]', 'a value of string is not of type address (at character 7 of the expression)'],
    [
      'list[true]',
      'bool is not an index; accepted is a whole number (at character 6 of the expression)',
    ],
    [
      'run(1)',
      'run may change the state, or has a type that is not known; accepted are view and pure functions (at character 1 of the expression)',
    ],
    [
      'a = 5',
      'an expression does not set values; accepted is == to compare. A value is set in the list of variables, or by stateOverrides of a simulation (at character 3 of the expression)',
    ],
    ['keccak256(1)', 'keccak256 takes bytes, not a number (at character 11 of the expression)'],
    [
      'type(address).max',
      'type takes a type of whole numbers or an enum (at character 6 of the expression)',
    ],
    ['2 ** 5000', 'whole exponents up to 4096 are accepted (at character 3 of the expression)'],
    ['1e2000', '1e2000 has an exponent beyond 1000 (at character 1 of the expression)'],
    [
      `${'('.repeat(200)}1`,
      'more than 100 levels are not accepted (at character 101 of the expression)',
    ],
    [
      `${'-'.repeat(200)}1`,
      'more than 100 levels are not accepted (at character 101 of the expression)',
    ],
    [
      '1'.repeat(2_001),
      'the expression has 2001 characters; accepted are up to 2000 (at character 2001 of the expression)',
    ],
  ] as const) {
    it(`are refused, with the place: ${expression.slice(0, 20)}`, () => {
      assert.throws(() => at.evaluate(expression), { name: 'ExpressionError', message });
    });
  }

  it('name what is known where a name is not', () => {
    assert.throws(
      () => at.evaluate('unknown'),
      /^ExpressionError: unknown is not known here; known are a, b, data, small, /,
    );
  });

  for (const name of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
    it(`take no member of a JavaScript object for a name: ${name}`, () => {
      const uses = [name, `msg.${name}`, `data.${name}`, `Color.${name}`, `${name}(1)`];
      for (const expression of uses) {
        assert.throws(() => at.evaluate(expression), { name: 'ExpressionError' });
      }
    });
  }

  it('say why a value is not known', () => {
    assert.equal(at.evaluate('list[2]').unavailable, 'the index 2 is not below the length 2');
    assert.equal(
      at.evaluate('address(0x00000000000000000000000000000000000000dd).balance').unavailable,
      'the transaction does not touch the account 0x00000000000000000000000000000000000000dd: its value is not read',
    );
  });

  it('are conditions where they are true or false', () => {
    const isTrue = (condition: string): boolean => at.condition(condition).isTrue;
    assert.deepEqual([isTrue('a == 5'), isTrue('a == 6')], [true, false]);
    assert.throws(() => isTrue('a'), /a value of uint256 is not of type bool/);
    assert.throws(() => isTrue('list[7] == 1'), Unavailable);
  });

  const mapping = (key: string, slot: bigint): bigint =>
    BigInt(solidityPackedKeccak256(['uint256', 'uint256'], [key, slot]));
  for (const [expression, slot, offset, length] of [
    ['low', 7n, 0, 16],
    ['high', 7n, 16, 8],
    ['done', 7n, 24, 1],
    ['list', 6n, 0, 32],
    ['list[1]', BigInt(keccak256(`0x${'6'.padStart(64, '0')}`)) + 1n, 0, 32],
    ['three', 9n, 0, 96],
    ['three[2]', 11n, 0, 32],
    ['codes[0x01020304]', mapping(`0x01020304${'0'.repeat(56)}`, 1n), 0, 32],
    [`items[${SENDER}][5].owner`, mapping('5', mapping(SENDER, 0n)) + 1n, 0, 20],
    ['items[msg.sender][5]', mapping('5', mapping(SENDER, 0n)), 0, 96],
  ] as const) {
    it(`lead to their slots: ${expression}`, () => {
      const found = at.evaluate(expression);
      assert.deepEqual(
        [found.address, BigInt(found.slot!), found.offset ?? 0],
        [CALLER, slot, offset],
      );
      assert.equal((found.length ?? 32) * (found.slots ?? 1), length);
    });
  }

  it('lead to no slot where they are not in storage', () => {
    for (const expression of ['a', 'msg.sender', '1', 'data']) {
      assert.equal(at.evaluate(expression).slot, undefined);
    }
  });

  it('lead to slots also where the value is not known', () => {
    const { at: unknown } = debug({
      text: TEXT,
      contract: 'Shop',
      call: 'function run(uint256, int256, bytes)',
      values: [5, -7, '0x'],
    });
    const { slot, unavailable } = unknown('done = true;').evaluate('codes[0x01020305]');
    assert.deepEqual([typeof slot, typeof unavailable], ['string', 'string']);
  });

  it('refuse references that are none', () => {
    for (const reference of ['', 'state', 'nothing:a', 'a']) {
      assert.throws(
        () => at.children(reference),
        /is not a reference; accepted are those of variables/,
      );
    }
    assert.deepEqual(at.children('state:low'), { variables: [], total: 0 });
  });
});
