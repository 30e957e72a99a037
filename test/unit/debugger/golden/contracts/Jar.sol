// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

library SafeMath {
    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a, "underflow");
        return a - b;
    }
}

/// Takes ether by receive, and notes by fallback.
contract Jar {
    using SafeMath for uint256;
    uint256 internal total;
    uint8 internal small = 255;
    bytes internal note;
    address internal immutable owner;

    constructor() {
        owner = msg.sender;
    }

    receive() external payable {
        uint256 before = total;
        total = before + msg.value;
    }

    fallback() external payable {
        note = msg.data;
        small += 1;
    }

    function take(uint256 amount) external {
        total = total.sub(amount);
        msg.sender.transfer(amount);
    }
}

contract Guest {
    bytes internal seen;

    receive() external payable {
        require(msg.value < 10);
    }

    function visit(Jar jar) external payable {
        (bool sent,) = address(jar).call{value: msg.value}("");
        require(sent);
        (sent,) = address(jar).call(hex"0badc0de01");
        jar.take(1);
        try jar.take(50) {
            seen = "paid";
        } catch Error(string memory reason) {
            seen = bytes(reason);
        }
    }
}
