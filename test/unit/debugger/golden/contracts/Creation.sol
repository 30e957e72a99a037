// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Named {
    string internal name;
    uint256 internal immutable born;

    constructor(string memory name_, uint256 year) {
        name = name_;
        born = year * 2;
    }
}

/// A creation with arguments, immutables and a constructor of its base.
contract Ship is Named {
    address internal immutable captain;
    uint256 internal tons = 40;
    uint32[] internal holds;

    constructor(string memory name_, address captain_, uint32[] memory holds_)
        payable
        Named(name_, holds_.length)
    {
        captain = captain_;
        holds = holds_;
        uint256 extra = msg.value + tons;
        tons = extra;
        require(tons > 40, "too light");
    }

    function load() external view returns (uint256 all) {
        for (uint256 i = 0; i < holds.length; i++) all += holds[i];
        all += born + tons;
    }
}

contract Yard {
    Ship internal latest;
    uint256 internal loaded;

    function build(uint32 size) external payable {
        uint32[] memory holds = new uint32[](2);
        holds[1] = size;
        latest = new Ship{value: msg.value}("Ada", msg.sender, holds);
        loaded = latest.load();
    }

    function tryBuild() external returns (bool failed) {
        try new Ship("Eve", address(1), new uint32[](0)) returns (Ship made) {
            latest = made;
        } catch Error(string memory reason) {
            failed = bytes(reason).length == 9;
        }
    }
}
