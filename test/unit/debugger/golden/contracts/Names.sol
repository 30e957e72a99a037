// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

uint256 constant SCALE = 10;
type Price is uint256;
enum Mood { Calm, Angry }
struct Order { uint256 size; address owner; }

function twice(uint256 given) pure returns (uint256) {
    return given * 2;
}

library Sums {
    function plus(uint256 left, uint256 right) internal pure returns (uint256 sum) {
        sum = left + right;
    }
}

contract Base {
    uint256 private hidden = 1;
    uint256 internal shared = 2;
    uint256 constant LIMIT = 100;

    modifier limited(uint256 bound) {
        uint256 checked = bound + 1;
        require(checked > LIMIT / LIMIT);
        _;
        shared = checked;
    }

    function note(uint256 amount) internal virtual {
        shared = amount;
    }
}

contract First is Base {
    using Sums for uint256;
    mapping(address => Order) public orders;
    Mood mood;
    uint256 public total;
    address immutable maker = msg.sender;

    function buy(uint256 amount) external limited(amount) returns (uint256 paid) {
        note(amount);
        paid = twice(amount).plus(SCALE);
        for (uint256 i = 0; i < 2; i++) {
            uint256 part = paid / 2;
            total += part;
        }
        {
            bool amount = true;
            mood = amount ? Mood.Angry : Mood.Calm;
        }
        orders[msg.sender] = Order(paid, maker);
    }
}

contract Second is Base {
    uint256 count;

    function buy(First first, uint256 amount) external {
        note(amount);
        count = first.buy(amount);
    }

    function note(uint256 amount) internal override {
        count = amount;
        super.note(amount);
    }
}
