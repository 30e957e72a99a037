import assert from 'node:assert/strict';
import { typeOf } from './compiled-type';
import { debug } from './debugged';

const contractWith = (statement: string): string => `pragma solidity ^0.8.0;
contract Base {}
contract Derived is Base {}
contract Shop {
    enum Color { Red, Blue }
    type Price is uint64;
    struct Point { uint8 x; uint8 y; }
    struct Line { Point from; Point to; string name; }
    struct Account { address owner; Base base; Color color; bytes data; Price price; }
    struct Book { mapping(address => uint256) entries; uint256 total; }
    struct Tree { uint256 value; Tree[] left; Tree[] right; }
    mapping(uint256 => uint256) map;
    uint8 small = 3;
    int16 wide = 3;
    uint256 big = 3;
    uint256[] list;
    uint8[2] two;
    uint8[5000] huge;
    Point point;
    Tree root;
    Base base;
    Derived derived;
    address who;
    address payable paid;
    bytes4 four;
    bytes8 eight;
    Price price;
    bool done;
    function run(bytes calldata text) external {
        two = [5, 6];
        point = Point(7, 8);
        string memory name = "shop";
        ${statement}
        done = true;
    }
    function sum(uint8[2] memory values) public pure returns (uint256) {
        return uint256(values[0]) * 100 + values[1];
    }
    function wideSum(uint256[2] memory values) public pure returns (uint256) { return values[0] + values[1]; }
    function any(uint256[] memory values) public pure returns (uint256) { return values.length; }
    function middle(Line memory line) public pure returns (Point memory) {
        return Point((line.from.x + line.to.x) / 2, (line.from.y + line.to.y) / 2);
    }
    function named(Line[1] memory lines, uint256 times) public pure returns (string memory text) {
        for (uint256 i = 0; i < times; i++) text = string.concat(text, lines[0].name);
    }
    function area(uint8 height, uint8 breadth) public pure returns (uint256) { return height * 10 + breadth; }
    function area(string memory unit) public pure returns (string memory) { return unit; }
    function owner(Account memory account) public pure returns (address) { return account.owner; }
    function first(string[2] memory texts) public pure returns (string memory) { return texts[0]; }
    function pair() public pure returns (uint8, uint8) { return (1, 2); }
}
`;

describe('arrays and structs that expressions write', () => {
  const at = (data = '0x5a') =>
    debug({
      text: contractWith(''),
      contract: 'Shop',
      call: 'function run(bytes)',
      values: [data],
      otherStorage: () => 0n,
    }).at('done = true;');
  const shop = at();

  for (const [expression, type, value] of [
    ['[1, 2]', 'uint8[2]', '[1, 2]'],
    ['[uint8(1), 2]', 'uint8[2]', '[1, 2]'],
    ['[0]', 'uint8[1]', '[0]'],
    ['[1, 256]', 'uint16[2]', '[1, 256]'],
    ['[300, small]', 'uint16[2]', '[300, 0]'],
    ['[small, big]', 'uint256[2]', '[0, 0]'],
    ['[-1, 127]', 'int8[2]', '[-1, 127]'],
    ['[-129]', 'int16[1]', '[-129]'],
    ['[2 ** 256 - 1]', 'uint256[1]', `[${2n ** 256n - 1n}]`],
    ['[-(2 ** 255)]', 'int256[1]', `[${-(2n ** 255n)}]`],
    ['[true, false]', 'bool[2]', '[true, false]'],
    ['[Color.Red, Color.Blue]', 'Shop.Color[2]', '[Shop.Color.Red, Shop.Color.Blue]'],
    ['[four, "ab"]', 'bytes4[2]', '[0x00000000, 0x61620000]'],
    ['[four, 0x01020304]', 'bytes4[2]', '[0x00000000, 0x01020304]'],
    ['[four, eight]', 'bytes8[2]', '[0x0000000000000000, 0x0000000000000000]'],
    ['[price, price]', 'Shop.Price[2]', '[0, 0]'],
    ['[1 ether, 2]', 'uint64[2]', '[1000000000000000000, 2]'],
    ['["a", "bc"]', 'string[2]', '2 elements'],
    ['[hex"41"]', 'string[1]', '1 element'],
    ['[name, "a"]', 'string[2]', '2 elements'],
    ['[list, list]', 'uint256[][2]', '2 elements'],
    ['[[1, 2], two]', 'uint8[2][2]', '2 elements'],
    ['[[[1]]]', 'uint8[1][1][1]', '1 element'],
    ['[point, Point(1, 2)]', 'Shop.Point[2]', '2 elements'],
    ['Point(1, 2)', 'Shop.Point', '{x: 1, y: 2}'],
    ['Point({y: 1, x: 2})', 'Shop.Point', '{x: 2, y: 1}'],
    ['Shop.Point(small, 2)', 'Shop.Point', '{x: 0, y: 2}'],
    ['Line(point, Point({x: 1, y: 2}), "way")', 'Shop.Line', '3 members'],
    ['Line({name: "way", to: point, from: Point(1, 2)})', 'Shop.Line', '3 members'],
    ['Account(paid, derived, Color.Blue, "data", price)', 'Shop.Account', '5 members'],
    ['[1, 2].length', 'uint256', '2'],
    ['[1, 2, 3][1] + small', 'uint8', '2'],
    ['Point(1, 2).y', 'uint8', '2'],
    ['[Point(1, 2), point][1].y', 'uint8', '8'],
  ] as const) {
    it(`have the type that the compiler gives them: ${expression}`, () => {
      const found = shop.evaluate(expression);
      assert.deepEqual([found.type, found.value, found.unavailable], [type, value, undefined]);
      assert.equal(typeOf(expression, contractWith), type);
    });
  }

  for (const [expression, type] of [
    ['[derived, base]', 'Base[2]'],
    ['[base, derived]', 'Base[2]'],
    ['[paid, who]', 'address[2]'],
    ['[who, paid]', 'address[2]'],
  ] as const) {
    it(`have the type that both elements convert to: ${expression}`, () => {
      assert.equal(shop.evaluate(expression).type, type);
      assert.equal(typeOf(expression, contractWith), type);
    });
  }

  for (const [expression, value] of [
    ['sum([1, 2])', '102'],
    ['sum([[1, 2], two][1])', '506'],
    ['sum({values: [uint8(1), small]})', '100'],
    ['sum(two) == sum([5, 6])', 'true'],
    ['wideSum([uint256(1), 2])', '3'],
    ['middle(Line(Point(1, 2), Point({x: 3, y: 4}), "way"))', '{x: 2, y: 3}'],
    ['middle(Line(point, middle(Line(point, point, "")), "")).x', '7'],
    ['named([Line(point, point, "way")], 2)', '"wayway"'],
    ['named({times: 3, lines: [Line({from: point, to: point, name: "a"})]})', '"aaa"'],
    ['area({breadth: 2, height: 3})', '32'],
    ['area({unit: "m"})', '"m"'],
    ['first(["one", name])', '"one"'],
    ['owner(Account(msg.sender, base, Color.Red, text, price)) == msg.sender', 'true'],
    ['true ? [1, 2][0] : 3', '1'],
    ['Point(1, 2).x == 1 && [1, 2][1] > 1', 'true'],
    ['Tree(3, root.left, root.right).value', '3'],
  ] as const) {
    it(`are arguments of functions and operands: ${expression}`, () => {
      const found = shop.evaluate(expression);
      assert.deepEqual([found.value, found.unavailable], [value, undefined]);
    });
  }

  it('are expanded, also behind a condition', () => {
    const line = shop.evaluate('Line(point, Point(1, 2), "way")');
    const { variables } = shop.children(line.reference!);
    assert.deepEqual(
      variables.map((one) => `${one.name} ${one.type} = ${one.value}`),
      ['from Shop.Point = {x: 7, y: 8}', 'to Shop.Point = {x: 1, y: 2}', 'name string = "way"'],
    );
    const [, to] = variables;
    assert.equal(shop.children(to!.reference!).variables[1]!.value, '2');
    const chosen = shop.evaluate('done ? two : [3, 4]');
    assert.deepEqual(
      shop.children(chosen.reference!).variables.map(({ name, value }) => `${name} ${value}`),
      ['[0] 3', '[1] 4'],
    );
  });

  for (const [expression, message] of [
    ['[]', 'the array literal [] has no type; accepted is at least one element'],
    [
      '[1, -1]',
      'the elements of the array literal [1, -1] have no common type: uint8 and int8; accepted are elements that convert to the type of one of them',
    ],
    ['[-1, 128]', /have no common type: int8 and uint8/],
    ['[small, wide]', /have no common type: uint8 and int16/],
    ['["a", four]', /have no common type: string and bytes4/],
    ['[0, four]', /have no common type: uint8 and bytes4/],
    ['[price, 9]', /have no common type: Shop.Price and uint8/],
    ['[base, who]', /have no common type: Base and address/],
    ['[[1, 2], [3, 256]]', /have no common type: uint8\[2\] and uint16\[2\]/],
    ['[[1, 2], [3]]', /have no common type: uint8\[2\] and uint8\[1\]/],
    [
      '[2 ** 256]',
      /^a number in the array literal \[2 \*\* 256\] has no type; accepted are whole numbers of up to 256 bits/,
    ],
    ['[map]', /^mapping.* is not an element of the array literal \[map\]; accepted are values,/],
    ['[pair()]', /^\(uint8, uint8\) is not an element of the array literal \[pair\(\)\]/],
    ['[Point]', /^the type Shop.Point is not an element of the array literal \[Point\]/],
    ['[msg]', /^msg is not an element of the array literal \[msg\]/],
    ['[1, 2,]', 'found "]" where a value is expected'],
    ['[1, 2', 'the expression ends where "]" is expected'],
    [
      '[1, 2] == [1, 2]',
      '"==" is not defined for the literal [1, 2] of uint8[2] and the literal [1, 2] of uint8[2]; accepted are its elements, such as [1, 2][0]',
    ],
    [
      'point == Point(1, 2)',
      '"==" is not defined for Shop.Point and the literal Point(1, 2) of Shop.Point; accepted are its members, such as Point(1, 2).x',
    ],
    [
      '-[1]',
      '"-" is not defined for the literal [1] of uint8[1]; accepted are its elements, such as [1][0]',
    ],
    [
      'wideSum([1, 2])',
      'the literal [1, 2] of uint8[2] is not of type uint256[2]; accepted are elements of the type uint256, where the first one may be converted, such as [uint256(…), …]',
    ],
    [
      'any([uint256(1), 2])',
      'the literal [uint256(1), 2] of uint256[2] is not of type uint256[]: an array literal has a fixed length; accepted are variables and results of the type uint256[]',
    ],
    [
      'sum([1, 2, 3])',
      'the literal [1, 2, 3] of uint8[3] is not of type uint8[2]; accepted are 2 elements',
    ],
    ['sum(Point(1, 2))', 'the literal Point(1, 2) of Shop.Point is not of type uint8[2]'],
    ['Point(1)', 'Point(1) gives 1 of 2 members; accepted are values of x, y'],
    ['Point({x: 1})', 'Point({x: 1}) gives 1 of 2 members; accepted are values of x, y'],
    ['Point({x: 1, z: 2})', 'Shop.Point has no member z; accepted are x, y'],
    ['Point({x: 1, x: 2})', 'x is given twice'],
    [
      'Point(1, 256)',
      'the number 256 is not accepted for the member y of Shop.Point; accepted is uint8',
    ],
    ['Point(small, big)', /^a value of uint256 is not accepted for the member y of Shop.Point/],
    ['Account(0, base, Color.Red, "", price)', /for the member owner of .*; accepted is address/],
    [
      'Account(base, base, Color.Red, "", price)',
      /^a value of Base is not accepted for the member owner/,
    ],
    ['Account(who, base, 0, "", price)', /for the member color .*; accepted is Shop.Color/],
    [
      'Account(who, base, Color.Red, name, price)',
      /^a value of string is not accepted for the member data/,
    ],
    ['Account(who, base, Color.Red, "", 9)', /for the member price .*; accepted is Shop.Price/],
    [
      'Line([1, 2], point, "")',
      /^the literal \[1, 2\] of uint8\[2\] is not accepted for the member from/,
    ],
    [
      'Book({total: 1})',
      'Book({total: 1}) is not accepted: the member entries contains a mapping; accepted are structs without mappings',
    ],
    [
      'area({height: 1, width: 2})',
      'area takes no arguments of the names height, width; accepted are height, breadth or unit',
    ],
    ['area({height: 1, breadth: 2, unit: "m"})', 'area takes 2 or 1 arguments, not 3'],
    ['Point({1: 2})', 'found "1" where the name of an argument is expected'],
    ['Point({x 2})', 'found "2" where ":" is expected'],
    ['Point({x: 1, y: 2)', 'found ")" where "}" is expected'],
    ['uint8({x: 1})', 'uint8 takes no arguments by name'],
    ['{x: 1}', 'found "{" where a value is expected'],
  ] as const) {
    it(`are refused as the compiler refuses them: ${expression}`, () => {
      assert.throws(
        () => shop.evaluate(expression),
        (error: Error) => {
          assert.equal(error.name, 'ExpressionError');
          const text = error.message.replace(/ \(at character \d+ of the expression\)$/, '');
          if (typeof message === 'string') assert.equal(text, message);
          else assert.match(text, message);
          return true;
        },
      );
      assert.equal(typeOf(expression, contractWith), undefined);
    });
  }

  it('are unavailable where an element cannot be read', () => {
    assert.equal(
      shop.evaluate('[list[2], 1]').unavailable,
      'the index 2 is not below the length 0',
    );
    assert.equal(shop.evaluate('[1, 2][5]').unavailable, 'the index 5 is not below the length 2');
  });

  it('are bounded', () => {
    assert.equal(
      shop.evaluate('[huge]').unavailable,
      'arguments with more than 4096 elements cannot be given',
    );
    const long = at(`0x${'5a'.repeat(65_536)}`);
    const texts = (count: number): string => `[${Array(count).fill('text').join(', ')}]`;
    assert.equal(long.evaluate(texts(16)).value, '16 elements');
    const refused = 'arguments with more than 1048576 bytes of texts cannot be given';
    assert.equal(long.evaluate(texts(17)).unavailable, refused);
    const nested = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
    assert.equal(shop.evaluate(nested(40)).value, '1 element');
    assert.throws(() => shop.evaluate(nested(100)), /more than 100 levels are not accepted/);
  });
});
