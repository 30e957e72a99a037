import assert from 'node:assert/strict';
import { recordedPrecompiles } from '../../../server/evm/interpreter/recorded-precompiles';
import { debug, type Run } from './debugged';
import { CALLER } from './record';
import { precompilesOf } from '../../../server/evm/rules/precompiles';

const OTHER = `0x${'0d'.repeat(20)}`;
const TEXT = `pragma solidity ^0.8.0;
interface Priced { function priceOf(uint256 item) external view returns (uint256); }
contract Other {
    mapping(uint256 => uint256) public priceOf;
    function set(uint256 item, uint256 price) external { priceOf[item] = price; }
    function who() external view returns (address) { return msg.sender; }
}
contract Shop {
    uint256 public total;
    mapping(address => mapping(uint256 => uint256)) public bought;
    Other public other;
    string label = "the shop";
    struct Item { uint256 count; string name; uint8[2] few; }
    mapping(uint256 => Item) public items;
    uint256[] prices;
    uint256[5000] huge;
    event Done();
    error TooMany(uint256 count);
    function run(Other other_) external {
        other = other_;
        other_.set(3, 70);
        total = 5;
        prices.push(7);
        prices.push(8);
        items[1] = Item(4, "four", [uint8(3), 9]);
        Item memory item = items[1];
        Item[2] memory both = [item, Item(6, "six", [uint8(0), 0])];
        total = both.length + 3;
        bought[msg.sender][3] = 2;
        emit Done();
        total = 6;
    }
    function doubled(uint256 more) public view returns (uint256) { return (total + more) * 2; }
    function doubled(bytes4 more) public pure returns (bytes4) { return more; }
    function sender() external view returns (address) { return msg.sender; }
    function named(string memory suffix) external view returns (string memory) {
        return string.concat(label, suffix);
    }
    function limited(uint256 count) external pure returns (bool) {
        require(count < 10, "too many");
        if (count == 5) revert TooMany(count);
        return true;
    }
    function endless() external pure { while (true) {} }
    function pair() external view returns (uint256, uint256) { return (total, 1); }
    function named() external view returns (uint256 count, string memory, Item[] memory items) {
        items = new Item[](2);
        items[1] = Item(total, "two", [uint8(1), 2]);
        return (total, "text", items);
    }
    function forged() external pure returns (uint256[] memory) {
        assembly { mstore(0, 32) mstore(32, 308) return(0, 64) }
    }
    function sum(uint256[] calldata list) external pure returns (uint256 all) {
        for (uint256 i = 0; i < list.length; i++) all += list[i];
    }
    function all(uint256[5000] calldata) external pure returns (uint256) { return 1; }
    function show(Item calldata item, Item[2] calldata others) external pure
        returns (string memory, uint256) {
        return (string.concat(item.name, others[1].name), item.count + others[0].few[1]);
    }
    function list() external pure returns (uint256[] memory) { return new uint256[](2); }
    function hash(bytes calldata data) external pure returns (bytes32) { return sha256(data); }
    function own(uint256 value) internal pure returns (uint256) { return value; }
    function pay() external { own(total++); }
    function counted() internal returns (uint256) { return total++; }
    function far(address account) external view returns (uint256) { return account.balance; }
}
`;

const run = (more: Partial<Run> = {}) =>
  debug({
    text: TEXT,
    contract: 'Shop',
    call: 'function run(address)',
    values: [OTHER],
    others: { [OTHER]: 'Other' },
    otherStorage: () => 0n,
    ...more,
  });
const SENDER = `0x${'a1'.repeat(20)}`;

describe('functions in expressions', function () {
  for (const [expression, value] of [
    ['doubled(1)', '12'],
    ['doubled(total) + 1', '21'],
    ['doubled(bytes4(0x01020304))', '0x01020304'],
    ['total', '5'],
    ['total()', '5'],
    ['bought(msg.sender, 3)', '2'],
    ['bought(msg.sender, 4)', '0'],
    ['sender()', SENDER],
    ['this.sender()', CALLER],
    ['other.priceOf(3)', '70'],
    ['other.who() == address(this)', 'true'],
    ['other_.priceOf(bought(msg.sender, 3) + 1)', '70'],
    ['limited(9)', 'true'],
    ['doubled(limited(2) ? 1 : 2)', '12'],
    ['pair()', '(5, 1)'],
    ['pair()[0] + pair()[1]', '6'],
    ['list()', '[0, 0]'],
    ['list().length', '2'],
    ['named()', '3 members'],
    ['named().count', '5'],
    ['named()[1]', '"text"'],
    ['named().items[1].name', '"two"'],
    ['named().items[1].few', '[1, 2]'],
    ['items(1)', '2 members'],
    ['items(1).count', '4'],
    ['items(1)[1]', '"four"'],
    ['sum(prices)', '15'],
    ['sum(list())', '0'],
    ['show(item, both)[0]', '"foursix"'],
    ['show(items[1], both)[1]', '13'],
  ] as const) {
    it(`are executed on the state of the step: ${expression}`, () => {
      const { value: shown, unavailable } = run().at('emit Done').evaluate(expression);
      assert.deepEqual([shown, unavailable], [value, undefined]);
    });
  }

  it('read storage that the transaction does not touch', () => {
    const word = `0x${Buffer.from('the shop').toString('hex').padEnd(62, '0')}10`;
    const label = run({ otherStorage: (_, slot) => (slot === 3n ? BigInt(word) : 0n) });
    assert.equal(label.at('emit Done').evaluate('named(" is open")').value, '"the shop is open"');
    const unread = run({ otherStorage: () => undefined })
      .at('emit Done')
      .evaluate('named("")');
    assert.match(unread.unavailable!, /^the transaction does not touch the slot 0x0+3 of /);
  });

  it('read accounts that the transaction does not touch', () => {
    const far = `0x${'dd'.repeat(20)}`;
    const { contracts } = run();
    const shop = run({
      otherAccount: (address) =>
        address === far
          ? { balance: 12n, nonce: 1, code: contracts['Other']!.deployed.code }
          : 'no answer',
      otherStorage: (address) => (address === far ? 77n : 0n),
    }).at('emit Done');
    const evaluate = (text: string) => shop.evaluate(text.replaceAll('FAR', `address(${far})`));
    for (const [expression, value] of [
      ['far(FAR)', '12'],
      ['FAR.balance', '12'],
      ['Other(FAR).priceOf(1)', '77'],
      ['FAR.codehash == keccak256(FAR.code)', 'true'],
    ] as const) {
      const found = evaluate(expression);
      assert.deepEqual([found.value, found.unavailable], [value, undefined], expression);
    }
    const other = `0x${'de'.repeat(20)}`;
    for (const expression of [`far(address(${other}))`, `Other(address(${other})).priceOf(1)`]) {
      assert.equal(
        evaluate(expression).unavailable,
        `the transaction does not touch the account ${other}: no answer`,
      );
    }
  });

  it('leave the state as it is, and are of their step', () => {
    const debugged = run();
    const before = debugged.at('emit Done');
    assert.equal(before.evaluate('doubled(0)').value, '10');
    assert.equal(before.evaluate('doubled(0)').value, '10');
    assert.equal(
      debugged.variables.at(debugged.recording.steps - 1, 0).evaluate('doubled(0)').value,
      '12',
    );
  });

  for (const [expression, reason] of [
    ['limited(10)', 'the call reverts: "too many"'],
    ['limited(5)', 'the call reverts: TooMany'],
    ['doubled(type(uint256).max)', 'the call reverts: Panic(0x11)'],
    ['endless()', 'it returns nothing'],
    ['pair()[2]', 'the index 2 is not below the length 2'],
    ['list()[2]', 'the index 2 is not below the length 2'],
    ['forged()', 'it would end at 9920 of 64 bytes of result'],
    ['all(huge)', 'arguments with more than 4096 elements cannot be given'],
    [
      'hash("ab")',
      `the call needs the precompiled contract 0x${'2'.padStart(40, '0')}, whose result was not recorded`,
    ],
    [
      'far(0x00000000000000000000000000000000000000dd)',
      'the transaction does not touch the account 0x00000000000000000000000000000000000000dd: its value is not read',
    ],
  ] as const) {
    it(`are unavailable with their reason: ${expression}`, () => {
      const precompile = recordedPrecompiles(precompilesOf('prague'), {
        type: 'CALL',
        input: '0x',
        gasUsed: '0x0',
      });
      assert.equal(run({ precompile }).at('emit Done').evaluate(expression).unavailable, reason);
    });
  }

  it('are bounded', () => {
    const text = TEXT.replace(
      'endless() external pure {',
      'endless() external pure returns (bool) {',
    );
    const long = run({ text }).at('emit Done').evaluate('endless()');
    assert.match(
      long.unavailable!,
      /^the call fails: (out of gas|it executes more than 100000 instructions)$/,
    );
    const shop = run().at('emit Done');
    const many = (count: number): string => Array(count).fill('doubled(1)').join(' + ');
    assert.equal(shop.evaluate(many(16)).value, String(16 * 12));
    assert.throws(() => shop.evaluate(many(17)), {
      message: /^more than 16 calls of functions are not accepted/,
    });
    // Each level has two functions of the name, and is executed once.
    const nested = `${'doubled('.repeat(16)}bytes4(0x01020304)${')'.repeat(16)}`;
    assert.equal(shop.evaluate(nested).value, '0x01020304');
  });

  for (const [expression, message] of [
    ['counted()', /^counted is internal and may change the state/],
    ['pay()', /^pay may change the state.*accepted are view and pure functions/],
    ['limited()', /^limited takes 1 arguments, not 0/],
    ['limited("a")', /is not of type uint256/],
    ['nothing(1)', /^nothing is a function; accepted are view functions/],
    ['other.nothing(1)', /^other.nothing is a function/],
  ] as const) {
    it(`are refused: ${expression}`, () => {
      assert.throws(() => run().at('emit Done').evaluate(expression), { message });
    });
  }
});
