// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {TokenBase} from "./TokenBase.sol";

/// An ERC-20 without decimals(): the function is optional, so amounts have no scale.
contract LoyaltyPoints is TokenBase {
    string public constant name = "Loyalty Points";
    string public constant symbol = "PTS";

    constructor(address holder, uint256 supply) {
        _mint(holder, supply);
    }
}
