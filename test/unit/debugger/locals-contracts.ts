import type { Version } from './solidity';

/** Solidity for all versions, with the words that a version lacks left out. */
export function forVersion(text: string, version: Version): string {
  const minor = Number(version.split('.')[1]);
  const drop =
    (pattern: RegExp): ((one: string) => string) =>
    (one) =>
      one.replace(pattern, '');
  const changes: ((one: string) => string)[] = [
    ...(minor < 5 ? [drop(/ calldata\b/g)] : []),
    ...(minor < 6 ? [drop(/ (virtual|override)\b/g)] : []),
    (one) => one.replace(/^FALLBACK/gm, minor < 6 ? '    function()' : '    fallback()'),
    (one) =>
      one.replace(/^.*SINCE (\d).*$/gm, (line, since) => (minor < Number(since) ? '' : line)),
  ];
  return changes.reduce((one, change) => change(one), `pragma solidity ^${version};\n${text}`);
}

/** Control flow, scopes, modifiers, recursion. */
export const FLOW = `
contract Base {
    uint256 internal total;
    event Number(uint256 a);
    event Numbers(uint256 a, uint256 b, uint256 c);
    event Mixed(uint256 a, bool b, int256 c, address d, bytes32 e);
    modifier counted(uint256 start, bool flag) {
        uint256 inside = start * 2;
        emit Numbers(start, inside, total);
        _;
        emit Numbers(start, inside, total);
        if (flag) {
            uint256 later = inside + 1;
            emit Number(later);
        }
    }
    modifier twice() virtual {
        _;
        uint256 seen = total;
        emit Number(seen);
    }
    function plus(uint256 a, uint256 b) internal returns (uint256 sum) {
        emit Numbers(a, b, sum);
        sum = a + b;
        emit Numbers(a, b, sum);
        if (a > 100) return a;
        uint256 half = sum / 2;
        emit Numbers(a, half, sum);
    }
}
contract Flow is Base {
    function run(uint256 n, int256 minus, address who, bool flag, bytes32 word)
        external counted(n + 1, flag) twice() returns (uint256 result)
    {
        emit Mixed(n, flag, minus, who, word);
        result = loop(n, flag);
    }
    function loop(uint256 n, bool flag) internal counted(7, !flag) returns (uint256 result) {
        for (uint256 i = 0; i < n; i++) {
            uint256 square = i * i;
            emit Numbers(i, square, result);
            {
                uint256 inner = square + 1;
                emit Numbers(i, inner, result);
                if (i == 1) continue;
            }
            uint256 other = plus(i, square);
            emit Numbers(i, other, square);
            total += other;
            if (i == 3) break;
        }
        result = rest(n, result, flag);
        emit Numbers(n, result, total);
    }
    function rest(uint256 n, uint256 result, bool flag) internal returns (uint256) {
        (uint256 first, bool second, int256 third) = several(n);
        emit Mixed(first, second, third, msg.sender, bytes32(0));
        result = factorial(first);
        n = result + 1;
        emit Numbers(n, result, first);
        uint8 small = uint8(n % 256);
        int8 negative = -5;
        uint256 stored = plus(uint256(small) + total, 200);
        emit Numbers(stored, small, total);
        bytes32 four = bytes4(0x12345678);
        emit Mixed(small, !flag, negative, msg.sender, four);
        do {
            uint256 down = n;
            n = n / 2;
            emit Numbers(n, down, small);
        } while (n > 1);
        return n;
    }
    function several(uint256 a) internal pure returns (uint256, bool, int256) {
        int256 signed = -int256(a);
        return (a + 1, a > 2, signed);
    }
    function factorial(uint256 k) private returns (uint256) {
        emit Number(k);
        if (k <= 1) return 1;
        uint256 rest = factorial(k - 1);
        emit Numbers(k, rest, k * rest);
        return k * rest;
    }
}
`;

/** Reference types in all places. */
export const REFERENCES = `
contract References {
    struct Item { uint128 amount; bool done; address owner; uint256[] parts; }
    Item[] internal items;
    mapping(address => mapping(uint256 => Item)) internal byOwner;
    mapping(string => uint256) internal named;
    uint256[] internal numbers;
    string internal text;
    event Number(uint256 a);
    event Numbers(uint256[] a);
    event Text(string a);
    event Data(bytes a, uint256 b);
    event Fields(uint128 a, bool b, address c, uint256 d);
    function run(uint256[] calldata list, string calldata words, bytes calldata data, uint16[3] calldata fixedOnes)
        external returns (uint256[] memory doubled)
    {
        emit Number(list.length);
        emit Number(list[1]);
        emit Data(data, fixedOnes[2]);
        doubled = new uint256[](list.length);
        for (uint256 i = 0; i < list.length; i++) doubled[i] = list[i] * 2;
        emit Numbers(doubled);
        texts(words, data);
        store(doubled, words);
        read(words);
    }
    function texts(string memory words, bytes memory data) internal {
        string memory copy = words;
        bytes memory raw = bytes(copy);
        emit Data(raw, raw.length);
        emit Text(copy);
        text = copy;
        emit Text(text);
        text = string(data);
        emit Data(bytes(text), bytes(text).length);
        uint256[3] memory three = [uint256(4), 5, 6];
        emit Number(three[2]);
    }
    function read(string memory copy) internal {
        Item storage last = items[items.length - 1];
        emit Fields(last.amount, last.done, last.owner, last.parts.length);
        emit Number(last.parts[1]);
        Item memory taken = last;
        taken.amount = 99;
        emit Fields(taken.amount, taken.done, taken.owner, taken.parts[0]);
        emit Number(byOwner[msg.sender][7].amount);
        emit Number(named["key"]);
        emit Number(named[copy]);
        uint256[] storage alias1 = numbers;
        emit Number(alias1[0]);
        emit Numbers(alias1);
        uint256[] memory empty;
        emit Number(empty.length);
    }
    function store(uint256[] memory values, string memory name) internal {
        items.push(Item(5, true, msg.sender, values));
        byOwner[msg.sender][7] = items[0];
        named["key"] = 11;
        named[name] = values.length;
        numbers.push(values[0]);
        numbers.push(values[1]);
        emit Number(items.length);
        emit Numbers(numbers);
        emit Text(name);
        emit Fields(items[0].amount, items[0].done, items[0].owner, named[name]);
    }
}
`;

/** Constructors, libraries, other contracts, fallback, inline assembly, function pointers. */
export const FRAMES = `
library Maths {
    event Number(uint256 a);
    struct Pair { uint256 x; uint256 y; }
    function twice(uint256 a) internal returns (uint256 b) {
        b = a * 2;
        emit Number(b);
    }
    function swap(Pair storage pair) internal {
        uint256 old = pair.x;
        pair.x = pair.y;
        pair.y = old;
        emit Number(pair.x);
        emit Number(old);
    }
}
contract Other {
    event Number(uint256 a);
    uint256 public kept;
    function half(uint256 a) public returns (uint256 result, string memory word) {
        require(a != 13, "unlucky");
        result = a / 2;
        kept = result;
        emit Number(result);
        emit Number(kept);
        word = "halved";
    }
}
contract Grand {
    event Number(uint256 a);
    event Numbers(uint256 a, uint256 b);
    event Text(string a);
    uint256 internal first;
    constructor(uint256 g) public {
        uint256 local = g + 1;
        first = local;
        emit Numbers(g, local);
    }
}
contract Parent is Grand {
    uint256 internal second;
    modifier checked(uint256 bound) {
        emit Number(bound);
        _;
        emit Number(bound);
    }
    constructor(uint256 p, string memory word) public Grand(p * 3) checked(p + 5) {
        uint256 local = p + first;
        second = local;
        emit Numbers(p, local);
        emit Text(word);
    }
}
contract Frames is Parent {
    using Maths for uint256;
    using Maths for Maths.Pair;
    Maths.Pair internal pair;
    constructor(uint256 a, string memory word) public Parent(a + 1, word) {
        uint256 local = a;
        string memory same = word;
        emit Numbers(a, local);
        emit Text(same);
        pair.x = a;
        pair.y = local + second;
        pair.swap();
        emit Numbers(pair.x, pair.y);
    }
    function run(uint256 a, Other other) public returns (uint256 result) {
        uint256 doubled = a.twice();
        emit Numbers(a, doubled);
        (uint256 halved, string memory word) = other.half(doubled);
        emit Numbers(halved, doubled);
        emit Text(word);
        function (uint256) internal returns (uint256) chosen = a > 5 ? large : small;
        result = chosen(a);
        emit Numbers(result, a);
        function (uint256) external returns (uint256, string memory) far = other.half;
        (halved, ) = far(a);
        emit Numbers(halved, result);
        uint256 size;
        assembly {
            let one := add(a, 1)
            let two := mul(one, 2)
            size := add(one, two)
        }
        emit Numbers(size, doubled);
        uint256 behind = size + 1;
        emit Numbers(behind, halved);
        this.run2(behind, "text of thirty-two characters and more");
    }
    function run2(uint256 b, string memory word) public returns (bool) {
        uint256 c = b + 1;
        emit Numbers(b, c);
        emit Text(word);
        return c > 1;
    }
    function large(uint256 n) internal returns (uint256) {
        uint256 more = n + 1000;
        emit Numbers(n, more);
        return more;
    }
    function small(uint256 n) internal returns (uint256) {
        emit Number(n);
        return n;
    }
FALLBACK external payable {
        uint256 paid = msg.value + 1;
        emit Number(paid);
    }
}
`;
