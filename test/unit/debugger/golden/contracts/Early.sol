pragma solidity ^0.4.24;

/// Solidity before 0.5 makes all variables of a function where it begins.
contract Early {
    struct Pair {
        uint256 a;
        uint256 b;
    }

    mapping(uint256 => Pair) internal pairs;
    uint256 internal sum;

    modifier counted() {
        uint256 before = sum;
        _;
        assert(sum >= before);
    }

    function two() internal pure returns (uint256, bytes32) {
        return (4, bytes32(7));
    }

    function run(uint256 n) counted public returns (uint256 out) {
        sum += n;
        if (n > 100) {
            uint256 never;
            uint256[] memory list = new uint256[](n);
            never = list.length;
        }
        var (x, y) = two();
        Pair storage own = pairs[x];
        own.a = uint256(y);
        for (uint256 i = 0; i < 2; i++) {
            mapping(uint256 => Pair) all = pairs;
            Pair memory copy = all[4];
            out += copy.a;
        }
        uint8 low = uint8(n + 297);
        bytes4 head = bytes4(keccak256("run(uint256)"));
        sum = low + uint256(head);
    }
}
