// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Fails with the panics of the checks that the compiler generates.
contract Calculator {
    uint256[] private numbers = [2, 3, 5];
    uint256 public result;

    function subtract(uint256 a, uint256 b) external {
        result = a - b;
    }

    function divide(uint256 a, uint256 b) external {
        result = a / b;
    }

    function pick(uint256 index) external {
        result = numbers[index];
    }
}
