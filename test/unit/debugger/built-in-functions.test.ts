import assert from 'node:assert/strict';
import { AbiCoder, id, Interface, keccak256, ripemd160, sha256, solidityPacked } from 'ethers';
import { debug } from './debugged';

const TEXT = `
interface Base { function ping() external; }
interface Target is Base {
    struct Order { address to; uint96 amount; }
    function transfer(address to, uint256 amount) external returns (bool);
    function place(Order calldata order, bytes4[2] calldata marks, string calldata note) external;
    function twice(uint256) external;
    function twice(address) external;
}
contract Coded {
    mapping(address => mapping(uint256 => bool)) public used;
    Target target;
    enum Color { Red, Green }
    type Price is uint64;
    struct Pair { uint8 a; string b; }
    uint64 price = 9;
    int16 less;
    bytes4 mark;
    string name;
    bytes data;
    uint8[] small;
    uint256[2] both;
    Pair pair;
    function run(bytes calldata given) external returns (uint256) {
        less = -2;
        mark = 0x01020304;
        name = "shop";
        data = hex"00ff";
        small.push(7);
        small.push(8);
        both[1] = 5;
        pair = Pair(3, "three");
        return given.length; // end
    }
}
`;
const coder = AbiCoder.defaultAbiCoder();
const most = 2n ** 256n - 1n;
const TARGET = `0x${'11'.padStart(40, '0')}`;
const targets = new Interface([
  'function transfer(address, uint256)',
  'function run(bytes)',
  'function used(address, uint256)',
  'function place((address, uint96), bytes4[2], string)',
]);
const hex = (text: string): string => `hex"${text.slice(2)}"`;

describe('functions of Solidity in expressions', function () {
  const debugged = debug({
    text: TEXT,
    contract: 'Coded',
    call: 'function run(bytes)',
    values: ['0x0badcafe'],
    otherStorage: () => 0n,
  });
  const at = debugged.at('// end');

  for (const [expression, expected] of [
    ['abi.encode(1)', hex(coder.encode(['uint8'], [1]))],
    ['abi.encode()', 'hex""'],
    [
      'abi.encode(less, mark, true)',
      hex(coder.encode(['int16', 'bytes4', 'bool'], [-2, '0x01020304', true])),
    ],
    ['abi.encode(name, small)', hex(coder.encode(['string', 'uint8[]'], ['shop', [7, 8]]))],
    ['abi.encode(pair)', hex(coder.encode(['tuple(uint8,string)'], [[3, 'three']]))],
    [
      'abi.encodePacked(less, mark, name)',
      hex(solidityPacked(['int16', 'bytes4', 'string'], [-2, '0x01020304', 'shop'])),
    ],
    [
      'abi.encodePacked(small, Color.Green, uint24(5))',
      hex(solidityPacked(['uint8[]', 'uint8', 'uint24'], [[7, 8], 1, 5])),
    ],
    ['abi.encodePacked(both)', hex(solidityPacked(['uint256[2]'], [[0, 5]]))],
    ['abi.encodeWithSelector(mark, 5)', hex(`0x01020304${'5'.padStart(64, '0')}`)],
    [
      'abi.encodeWithSignature("f(uint256)", 5)',
      hex(`${id('f(uint256)').slice(0, 10)}${'5'.padStart(64, '0')}`),
    ],
    [
      'abi.encodeCall(Target.transfer, (address(0x11), 5))',
      hex(targets.encodeFunctionData('transfer', [TARGET, 5])),
    ],
    [
      'abi.encodeCall(Target(address(0x12)).transfer, (address(0x11), uint256(9)))',
      hex(targets.encodeFunctionData('transfer', [TARGET, 9])),
    ],
    ['abi.encodeCall(Target.ping, ())', 'hex"5c36b186"'],
    ['abi.encodeCall(this.run, (given))', hex(targets.encodeFunctionData('run', ['0x0badcafe']))],
    ['abi.encodeCall(this.run, given).length', '100'],
    [
      'abi.encodeCall(Coded.used, (address(0x11), 3))',
      hex(targets.encodeFunctionData('used', [TARGET, 3])),
    ],
    [
      'abi.encodeCall(Target.place, (Target.Order(address(0x11), 7), [mark, bytes4(0x05060708)], name))',
      hex(targets.encodeFunctionData('place', [[TARGET, 7], ['0x01020304', '0x05060708'], 'shop'])),
    ],
    ['keccak256(abi.encodeCall(Target.ping, ()))', keccak256('0x5c36b186')],
    ['bytes.concat(data, mark, "a")', 'hex"00ff0102030461"'],
    ['string.concat(name, " ", name)', '"shop shop"'],
    ['keccak256(abi.encode(name))', keccak256(coder.encode(['string'], ['shop']))],
    ['keccak256("shop")', id('shop')],
    ['given[1:3]', 'hex"adca"'],
    ['given[:1]', 'hex"0b"'],
    ['given[2:]', 'hex"cafe"'],
    ['bytes4(given[:4])', '0x0badcafe'],
    ['given[1:].length', '3'],
    ['sha256(data)', sha256('0x00ff')],
    ['ripemd160(data)', ripemd160('0x00ff')],
    [`addmod(${most}, 2, 10)`, String((most + 2n) % 10n)],
    [`mulmod(${most}, ${most}, 12)`, String((most * most) % 12n)],
  ] as const) {
    it(`have their values: ${expression.slice(0, 60)}`, () => {
      assert.equal(at.evaluate(expression).value, expected);
    });
  }

  for (const [expression, message] of [
    ['abi.encodePacked(1)', /^a number has no packed encoding; accepted is one with a type/],
    ['abi.encodePacked(pair)', /./],
    ['addmod(1, 2)', /^addmod takes 3 arguments, not 2/],
    ['addmod(1, 2, 0)', /^division by zero/],
    ['sha256(1)', /^sha256 takes bytes, not a number/],
    ['bytes.concat(1)', /^bytes\.concat takes bytes, not a number/],
    ['given[3:2]', /^the slice from 3 to 2 is not inside of its 4 bytes$/],
    ['given[:5]', /^the slice from 0 to 5 is not inside of its 4 bytes$/],
    ['both[1:]', /^uint256\[2\] has no slices; accepted are bytes/],
    [
      'abi.encodeCall(Target.transfer, (address(target)))',
      /^Target\.transfer takes 2 arguments, not 1/,
    ],
    ['abi.encodeCall(Target.ping, (1))', /^Target\.ping takes 0 arguments, not 1/],
    ['abi.encodeCall(Target.transfer, (true, 5))', /^a value of bool is not of type address/],
    [
      'abi.encodeCall(Target.transfer, (address(0x11), -1))',
      /^the number -1 is not of type uint256/,
    ],
    [
      'abi.encodeCall(Target.twice, (1))',
      /^Target\.twice means 2 functions; accepted is abi\.encodeWithSignature/,
    ],
    ['abi.encodeCall(Target.none, (1))', /^Target\.none is no external or public function/],
    ['abi.encodeCall(price, (1))', /^price is no external or public function/],
    [
      'abi.encodeCall(Target.ping)',
      /^abi\.encodeCall takes a function and its arguments; accepted is abi/,
    ],
    ['(1, 2)', /^several values in parentheses are not accepted here/],
    ['()', /^several values in parentheses are not accepted here/],
    ['abi.encode(uint8)', /cannot be encoded/],
    ['abi.encodeWithSelector()', /^abi\.encodeWithSelector takes a selector/],
    ['abi.decode(data, 1)', /^abi\.decode is a function; accepted are/],
  ] as const) {
    it(`are refused: ${expression}`, () => {
      const text = (): string => {
        try {
          return at.evaluate(expression).unavailable ?? '';
        } catch (error) {
          return (error as Error).message;
        }
      };
      assert.match(text(), message);
    });
  }
});
