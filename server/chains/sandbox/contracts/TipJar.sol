// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Accepts plain ether (receive) and ether with any message (fallback).
contract TipJar {
    event Tipped(address indexed from, uint256 amount);
    event Noted(address indexed from, uint256 amount, bytes note);

    receive() external payable {
        emit Tipped(msg.sender, msg.value);
    }

    fallback() external payable {
        emit Noted(msg.sender, msg.value, msg.data);
    }
}
