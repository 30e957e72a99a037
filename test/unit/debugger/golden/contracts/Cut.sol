pragma solidity >=0.4.22;

/// Conversions to shorter types, which leave the other bits on the stack until the value is used.
contract Cut {
    uint256 internal total;

    function run(uint256 n, bytes32 word) public returns (uint256) {
        uint8 small = uint8(n + 44);
        int16 negative = int16(int256(n * 256 + 65535));
        bytes4 head = bytes4(keccak256("run(uint256)"));
        bytes1 first = bytes1(word);
        address who = address(uint160(n << 200 | 5));
        total = small;
        int256 wide = negative;
        total = inner(uint8(n + 45)) + uint256(uint32(head)) + uint256(uint160(who));
        return wide < 0 && first != 0 ? total : 0;
    }

    function inner(uint8 part) internal pure returns (uint256) {
        return part;
    }
}
