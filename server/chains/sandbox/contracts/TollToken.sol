// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {TokenBase} from "./TokenBase.sol";

/// A token that keeps 1 % of each transfer: the recipient receives less than the sender pays.
contract TollToken is TokenBase {
    string public constant name = "Toll";
    string public constant symbol = "TOLL";
    uint8 public constant decimals = 18;
    uint256 public constant TOLL_BASIS_POINTS = 100;

    address public immutable collector;

    constructor(address collector_, address holder, uint256 supply) {
        collector = collector_;
        _mint(holder, supply);
    }

    function _transfer(address from, address to, uint256 value) internal override {
        uint256 toll = (value * TOLL_BASIS_POINTS) / 10_000;
        super._transfer(from, collector, toll);
        super._transfer(from, to, value - toll);
    }
}
