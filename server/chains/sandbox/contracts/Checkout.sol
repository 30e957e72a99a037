// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// A call through three contracts: the checkout calls the warehouse, the warehouse calls the shelf, and the shelf is empty.
contract Shelf {
    mapping(uint256 => uint256) public stock;

    error OutOfStock(uint256 item, uint256 requested, uint256 available);

    function fill(uint256 item, uint256 quantity) external {
        stock[item] += quantity;
    }

    function take(uint256 item, uint256 quantity) external {
        if (stock[item] < quantity) revert OutOfStock(item, quantity, stock[item]);
        stock[item] -= quantity;
    }
}

contract Warehouse {
    Shelf public immutable shelf;

    event Picked(uint256 indexed item, uint256 quantity);

    constructor(Shelf shelf_) {
        shelf = shelf_;
    }

    function pick(uint256 item, uint256 quantity) external {
        shelf.take(item, quantity);
        emit Picked(item, quantity);
    }
}

contract Checkout {
    Warehouse public immutable warehouse;
    uint256 public constant PRICE = 0.01 ether;

    event Ordered(address indexed buyer, uint256 indexed item, uint256 quantity);

    error WrongPrice(uint256 sent, uint256 price);

    constructor(Warehouse warehouse_) {
        warehouse = warehouse_;
    }

    function buy(uint256 item, uint256 quantity) external payable {
        if (msg.value != PRICE * quantity) revert WrongPrice(msg.value, PRICE * quantity);
        emit Ordered(msg.sender, item, quantity);
        warehouse.pick(item, quantity);
    }
}
