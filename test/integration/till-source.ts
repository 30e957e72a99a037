/* A contract with a constant, an immutable variable, an internal function and local variables. */

export const FILE = 'src/Till.sol';
export const TEXT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Till {
    uint256 private constant FEE = 2;
    uint256 private immutable price;
    mapping(address => uint256) public paid;
    constructor(uint256 price_) { price = price_; }
    function pay(uint256 amount, string calldata note) external {
        require(amount >= price, note);
        record(amount, bytes(note).length);
    }
    function record(uint256 amount, uint256 length) private {
        uint256 net = amount - FEE;
        string memory text = length > 3 ? "long" : "short";
        paid[msg.sender] += net;
        emit Paid(net, text);
    }
    event Paid(uint256 net, string text);
}
`;

/** Number of the first line that contains the text, from 1. */
export const lineOf = (text: string): number =>
  TEXT.split('\n').findIndex((line) => line.includes(text)) + 1;
