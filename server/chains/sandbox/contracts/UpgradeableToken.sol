// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {TokenBase} from "./TokenBase.sol";

/// The implementation of a proxy, whose storage it uses.
contract UpgradeableToken is TokenBase {
    string public name;
    string public symbol;
    uint8 public constant decimals = 8;
    address public owner;

    event Initialized(string name, string symbol, address indexed owner);

    error AlreadyInitialized();
    error NotOwner(address caller);

    function initialize(string calldata name_, string calldata symbol_, address owner_) external {
        if (owner != address(0)) revert AlreadyInitialized();
        name = name_;
        symbol = symbol_;
        owner = owner_;
        emit Initialized(name_, symbol_, owner_);
    }

    function mint(address to, uint256 value) external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _mint(to, value);
    }
}

/// The next version, with a burn function.
contract UpgradeableTokenV2 is UpgradeableToken {
    function burn(uint256 value) external {
        _burn(msg.sender, value);
    }
}
