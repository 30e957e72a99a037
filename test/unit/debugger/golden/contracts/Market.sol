// SPDX-License-Identifier: MIT
pragma solidity ^0.6.12;

abstract contract Priced {
    uint256 internal immutable floor;

    constructor(uint256 floor_) internal {
        floor = floor_;
    }

    function price(uint8 count) public view virtual returns (uint256) {
        return floor * count;
    }
}

/// Overrides a function, cuts call data, and pushes an element that it then fills.
contract Market is Priced(3) {
    struct Order { address buyer; uint8 count; uint64 paid; }

    Order[] internal orders;
    uint8 internal sold = 250;

    function price(uint8 count) public view override returns (uint256) {
        uint256 full = super.price(count);
        return count > 9 ? full - count : full;
    }

    function buy(uint8 count, bytes calldata note) external returns (bytes32 mark) {
        require(count > 0, "none");
        Order storage order = orders.push();
        order.buyer = msg.sender;
        order.count = count;
        order.paid = uint64(price(count));
        sold += count;
        bytes calldata tail = note[2:];
        mark = keccak256(tail);
    }
}

contract Buyer {
    string internal why;

    function tour(Market market) external returns (uint256 failures) {
        bytes memory note = hex"0102ff";
        bytes32 mark = market.buy(10, note);
        try market.buy(0, note) returns (bytes32 other) {
            mark = other;
        } catch Error(string memory reason) {
            failures++;
            why = reason;
        }
        try market.buy(1, hex"01") returns (bytes32 other) {
            mark = other;
        } catch (bytes memory data) {
            failures += 1 + data.length;
        }
    }
}
