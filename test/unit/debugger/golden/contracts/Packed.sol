pragma solidity >=0.4.22;

/// Writes that change their variable, others in its slot, or nothing.
contract Packed {
    struct Pair {
        uint64 a;
        uint64 b;
        uint128 c;
    }

    Pair internal pair;
    uint256 internal same = 5;
    uint8 internal tiny = 1;
    bool internal flag;
    uint16[3] internal few;
    string internal short = "one";
    string internal long = "a text of more than thirty-two bytes, first";
    mapping(uint256 => Pair) internal pairs;

    function run(uint64 x) public {
        pair.a = 1;
        pair.b = 2;
        pair.c = 3;
        same = same;
        pair.b = 1 + x;
        pair = Pair(1, 2, x);
        pair = Pair(1, 4, x);
        flag = true;
        tiny = 1;
        few[1] = 7;
        few[2] = 8;
        few[1] = 7;
        short = "one";
        short = "two";
        long = "a text of more than thirty-two bytes, first";
        long = "a text of more than thirty-two bytes, other";
        pairs[x].b = 9;
        pairs[x].c = 9;
        delete pair;
    }
}
