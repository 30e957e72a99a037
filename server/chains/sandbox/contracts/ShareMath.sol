// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Arithmetic shared by several contracts. Its functions are external, so callers use DELEGATECALL.
library ShareMath {
    /// Splits `amount` by `parts` out of `total`, rounding down.
    function portion(uint256 amount, uint256 parts, uint256 total) external pure returns (uint256) {
        return (amount * parts) / total;
    }
}
