// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {TokenBase} from "./TokenBase.sol";

/// An old kind of token: name and symbol are bytes32, and an anonymous log accompanies Transfer.
contract LegacyToken is TokenBase {
    bytes32 public constant name = "Old Coin";
    bytes32 public constant symbol = "OLD";
    uint256 public constant decimals = 18;

    event LogNote(bytes4 indexed sig, address indexed guy, bytes32 indexed foo, bytes data) anonymous;

    function mint(address guy, uint256 wad) external {
        emit LogNote(msg.sig, msg.sender, bytes32(uint256(uint160(guy))), msg.data);
        _mint(guy, wad);
    }
}
