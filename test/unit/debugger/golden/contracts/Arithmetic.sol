// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Recursion, loops, and arithmetic with and without checks.
contract Arithmetic {
    uint256 public result;

    function factorial(uint256 n) external returns (uint256) {
        result = product(n);
        return result;
    }

    function product(uint256 n) internal pure returns (uint256) {
        if (n <= 1) return 1;
        uint256 rest = product(n - 1);
        return n * rest;
    }

    function sum(uint256[] calldata numbers) external returns (uint256 total) {
        uint256 largest;
        for (uint256 i = 0; i < numbers.length; i++) {
            uint256 number = numbers[i];
            total += number;
            if (number > largest) largest = number;
        }
        result = total + largest;
    }

    function wrap(uint8 tiny, int8 negative) external returns (uint8 below, int8 above) {
        unchecked {
            below = tiny - 1;
            above = negative - 1;
        }
        result = below;
        tiny -= 1;
        result = tiny;
    }
}
