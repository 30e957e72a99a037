import assert from 'node:assert/strict';
import { typeOf } from './compiled-type';
import { debug } from './debugged';

const TYPES = {
  address: 'address',
  payable: 'address payable',
  base: 'Base',
  color: 'Color',
  price: 'Price',
  bool: 'bool',
  uint8: 'uint8',
  int8: 'int8',
  uint256: 'uint256',
  bytes2: 'bytes2',
  bytes20: 'bytes20',
  bytes32: 'bytes32',
  string: 'string memory',
  bytes: 'bytes memory',
};
const functions = Object.entries(TYPES).map(
  ([name, type]) => `function of_${name}(${type} x) public pure returns (${type}) { return x; }`,
);
const contractWith = (statement: string): string => `pragma solidity ^0.8.0;
contract Base {}
contract Shop {
    enum Color { Red, Blue }
    type Price is uint64;
    uint8 small = 3;
    int16 wide = 3;
    uint256 big = 3;
    bytes2 two;
    bytes4 four;
    bytes blob;
    string text;
    bool done;
    address payable paid;
    function run(bytes calldata data) external {
        small = 250;
        wide = 1;
        big = 10;
        two = 0x1234;
        blob = "abcdef";
        text = "abcdef";
        ${statement}
        done = true;
    }
    ${functions.join('\n    ')}
}
`;
const ADDRESS = '0x5B38Da6a701c568545dCfcB03FcB875f56beddC4';

describe('literals in expressions', () => {
  const shop = debug({
    text: contractWith(''),
    contract: 'Shop',
    call: 'function run(bytes)',
    values: ['0x5a6b'],
    otherStorage: () => 0n,
  }).at('done = true;');

  for (const [expression, type, value] of [
    [`of_address(${ADDRESS})`, 'address', ADDRESS.toLowerCase()],
    ['of_address(address(18))', 'address', `0x${'12'.padStart(40, '0')}`],
    ['of_address(paid)', 'address', `0x${'0'.repeat(40)}`],
    ['of_uint8(255)', 'uint8', '255'],
    ['of_uint8(2.5 * 2)', 'uint8', '5'],
    ['of_int8(-128)', 'int8', '-128'],
    ['of_uint256(2 ** 256 - 1)', 'uint256', String(2n ** 256n - 1n)],
    ['of_uint256(small)', 'uint256', '250'],
    ['of_bytes2(0x1234)', 'bytes2', '0x1234'],
    ['of_bytes2(0)', 'bytes2', '0x0000'],
    ['of_bytes2(0x0)', 'bytes2', '0x0000'],
    ['of_bytes2("a")', 'bytes2', '0x6100'],
    ['of_bytes2(hex"1234")', 'bytes2', '0x1234'],
    ['of_bytes32(two)', 'bytes32', `0x1234${'0'.repeat(60)}`],
    ['of_string("a")', 'string', '"a"'],
    ['of_string(hex"41")', 'string', '"A"'],
    ['of_bytes("a")', 'bytes', 'hex"61"'],
    // operators
    ['small + 300', 'uint16', '550'],
    ['300 + small', 'uint16', '550'],
    ['small + big', 'uint256', '260'],
    ['big + small', 'uint256', '260'],
    ['small < 300', 'bool', 'true'],
    ['small == 256', 'bool', 'false'],
    ['wide - 40', 'int16', '-39'],
    ['two == "\\x12\\x34"', 'bool', 'true'],
    ['four | two', 'bytes4', '0x12340000'],
    // explicit conversions
    ['bytes4(blob)', 'bytes4', '0x61626364'],
    ['bytes4(data)', 'bytes4', '0x5a6b0000'],
    ['string(blob)', 'string', '"abcdef"'],
    [`bytes20(${ADDRESS})`, 'bytes20', ADDRESS.toLowerCase()],
  ] as const) {
    it(`have the type that the compiler gives them: ${expression}`, () => {
      const found = shop.evaluate(expression);
      assert.deepEqual([found.type, found.value, found.unavailable], [type, value, undefined]);
      assert.equal(typeOf(expression, contractWith), type);
    });
  }

  for (const [expression, message] of [
    ['of_address(0)', 'the number 0 is not of type address'],
    ['of_address(0x12)', 'the number 18 is not of type address'],
    ['of_base(0)', 'the number 0 is not of type Base'],
    ['of_color(1)', 'the number 1 is not of type Shop.Color'],
    ['of_price(9)', 'the number 9 is not of type Shop.Price'],
    ['of_bool(1)', 'the number 1 is not of type bool'],
    ['of_uint8(256)', 'the number 256 is not of type uint8'],
    ['of_uint8(-1)', 'the number -1 is not of type uint8'],
    ['of_uint8(2.5)', 'the number 5/2 is not of type uint8'],
    ['of_uint8(big)', 'a value of uint256 is not of type uint8'],
    ['of_uint256(wide)', 'a value of int16 is not of type uint256'],
    ['of_int8(128)', 'the number 128 is not of type int8'],
    ['of_uint256(2 ** 256)', `the number ${2n ** 256n} is not of type uint256`],
    ['of_bytes2(1)', 'the number 1 is not of type bytes2'],
    ['of_bytes2(0x12)', 'the number 18 is not of type bytes2'],
    ['of_bytes2(0x001234)', 'the number 4660 is not of type bytes2'],
    ['of_bytes2(0x1234 + 0)', 'the number 4660 is not of type bytes2'],
    ['of_bytes2(four)', 'a value of bytes4 is not of type bytes2'],
    [`of_bytes20(${ADDRESS})`, 'a value of address is not of type bytes20'],
    ['of_bytes2("abc")', 'a value of string is not of type bytes2'],
    ['of_bytes2(hex"123456")', 'a value of bytes is not of type bytes2'],
    ['of_bytes2(text)', 'a value of string is not of type bytes2'],
    ['of_bytes2(blob)', 'a value of bytes is not of type bytes2'],
    ['of_string(blob)', 'a value of bytes is not of type string'],
    ['of_string(1)', 'the number 1 is not of type string'],
    ['of_bytes(text)', 'a value of string is not of type bytes'],
    ['of_bytes(0x12)', 'the number 18 is not of type bytes'],
    ['small == -1', 'the number -1 is not of type uint8'],
    ['wide + 100000', 'the number 100000 is not of type int16'],
    ['small + wide', '"+" is not defined for uint8 and int16'],
    ['two | 1', 'the number 1 is not of type bytes2'],
    ['two == blob', '"==" is not defined for bytes2 and bytes'],
    ['bytes4("abcdef")', 'a value of string is not of type bytes4'],
    ['bytes4(hex"0102030405")', 'a value of bytes is not of type bytes4'],
    ['bytes4(text)', 'a value of string is not of type bytes4'],
    ['bytes32(5)', 'the number 5 is not of type bytes32'],
    ['0x12 ether', '0x12 is hexadecimal; accepted before ether are decimals'],
    ['0777', '0777 begins with 0; accepted is 777'],
    [
      ADDRESS.replace('B38', 'b38'),
      `the address ${ADDRESS.replace('B38', 'b38')} has a wrong checksum; accepted are ${ADDRESS} and lower-case letters`,
    ],
  ] as const) {
    it(`are refused as the compiler refuses them: ${expression}`, () => {
      assert.throws(
        () => shop.evaluate(expression),
        (error: Error) => {
          assert.equal(error.name, 'ExpressionError');
          assert.equal(
            error.message.replace(/ \(at character \d+ of the expression\)$/, ''),
            message,
          );
          return true;
        },
      );
      assert.equal(typeOf(expression, contractWith), undefined);
    });
  }
});
