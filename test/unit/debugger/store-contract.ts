/** A contract with variables of every kind. */
export const STORE = `
pragma solidity ^0.8.0;
enum Level { Low, High }
type Price is uint64;
uint256 constant OUTSIDE = 5;
library Limits {
    uint256 internal constant MOST = FEW * 2;
    uint256 private constant FEW = 10;
}
contract Base {
    uint8 private hidden = 3;
    uint256 internal constant SCALE = 10 ** 18;
    bytes32 internal constant ROLE = keccak256("role");
    int8 internal constant LEAST = -5;
    string internal constant NAME = "a name";
    uint256 internal constant SUM = SCALE / 1e17 + OUTSIDE + Limits.MOST;
    bytes32 internal constant CODED = keccak256(abi.encode(1));
}
contract Store is Base {
    struct Point { uint32 x; int16 y; string label; uint256[] marks; }
    struct Book { uint256 pages; mapping(uint256 => bool) read; }
    bool flag;
    uint8 small;
    int8 negative;
    address owner;
    bytes4 four;
    Level level;
    Price price;
    uint256 private hidden;
    uint16[5] fixedOnes;
    uint64[] list;
    uint256[2][] pairs;
    Point point;
    Point[] points;
    Book book;
    mapping(address => uint256) balances;
    mapping(bytes32 => mapping(uint256 => Point)) nested;
    mapping(string => uint256) named;
    mapping(Level => int256) byLevel;
    string short;
    string long;
    bytes data;
    Store other;
    function (uint256) internal pure returns (uint256) chosen;
    function () external far;
    uint256 transient temporary;
    address immutable creator;
    bytes4 immutable mark;
    int16 immutable less;
    constructor() { creator = msg.sender; mark = 0x0a0b0c0d; less = -7; }
    function run(uint256 n) external returns (address, bytes4, int16) {
        flag = true;
        small = 200;
        negative = -100;
        owner = msg.sender;
        four = 0xaabbccdd;
        level = Level.High;
        price = Price.wrap(77);
        hidden = 1000;
        fixedOnes[1] = 11;
        fixedOnes[4] = 44;
        for (uint64 i = 0; i < 6; i++) list.push(i * 10);
        pairs.push([uint256(1), 2]);
        pairs.push([uint256(3), 4]);
        point = Point(7, -8, "here", new uint256[](0));
        point.marks.push(9);
        points.push(point);
        points.push(Point(1, 2, "a label of more than thirty-two characters", new uint256[](2)));
        book.pages = 300;
        book.read[n * 3] = true;
        balances[msg.sender] = 50;
        balances[address(this)] += n;
        nested[ROLE ^ bytes32(n)][n].x = 21;
        nested[ROLE ^ bytes32(n)][n + 1].label = "inner";
        named["key"] = 1;
        named["a key of more than thirty-two characters"] = 2;
        byLevel[Level(n / 4)] = -1;
        short = "short \\"quoted\\"";
        long = "a text of more than thirty-one bytes: \\u00e4";
        data = hex"ff00fe";
        other = this;
        chosen = double;
        far = this.nothing;
        temporary = 99;
        flag = false;
        flag = true;
        return (creator, mark, less);
    }
    function double(uint256 a) internal pure returns (uint256) { return chosenOne(a) * 2; }
    function chosenOne(uint256 a) internal pure returns (uint256) { return a; }
    function nothing() external {}
}`;
