// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ShareMath} from "./ShareMath.sol";

/// Distributes received ether to its members by their shares.
contract RevenueSplitter {
    address[] public members;
    uint256[] public parts;
    uint256 public totalParts;

    event Shared(address indexed member, uint256 amount);

    error NotSent(address member, uint256 amount);

    constructor(address[] memory members_, uint256[] memory parts_) {
        members = members_;
        parts = parts_;
        for (uint256 i = 0; i < parts_.length; i++) totalParts += parts_[i];
    }

    function split() external payable {
        for (uint256 i = 0; i < members.length; i++) {
            uint256 amount = ShareMath.portion(msg.value, parts[i], totalParts);
            (bool sent,) = members[i].call{value: amount}("");
            if (!sent) revert NotSent(members[i], amount);
            emit Shared(members[i], amount);
        }
    }
}
