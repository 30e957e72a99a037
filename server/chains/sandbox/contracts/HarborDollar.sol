// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {TokenBase} from "./TokenBase.sol";

/// An ERC-20 with 6 decimals, like most dollar tokens.
contract HarborDollar is TokenBase {
    string public constant name = "Harbor Dollar";
    string public constant symbol = "hUSD";
    uint8 public constant decimals = 6;

    address public immutable issuer;

    error NotIssuer(address caller);

    constructor(address issuer_) {
        issuer = issuer_;
    }

    function issue(address to, uint256 value) external {
        if (msg.sender != issuer) revert NotIssuer(msg.sender);
        _mint(to, value);
    }

    function redeem(uint256 value) external {
        _burn(msg.sender, value);
    }
}
