// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20, IFlashBorrower} from "./Interfaces.sol";
import {FlashLender} from "./FlashLender.sol";
import {Pool} from "./Pool.sol";

/// Buys a token in the cheaper pool and sells it in the more expensive one, with borrowed tokens.
contract Arbitrageur is IFlashBorrower {
    address public immutable owner;
    FlashLender public immutable lender;

    error NotOwner(address caller);
    error NotLender(address caller);
    error NoProfit(uint256 received, uint256 owed);

    constructor(address owner_, FlashLender lender_) {
        owner = owner_;
        lender = lender_;
    }

    function run(IERC20 money, IERC20 goods, uint256 amount, Pool buyFrom, Pool sellTo) external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        lender.flashLoan(this, money, amount, abi.encode(goods, buyFrom, sellTo));
        money.transfer(owner, money.balanceOf(address(this)));
    }

    function onFlashLoan(address, address token, uint256 amount, uint256 fee, bytes calldata data)
        external
        returns (bytes32)
    {
        if (msg.sender != address(lender)) revert NotLender(msg.sender);
        (IERC20 goods, Pool buyFrom, Pool sellTo) = abi.decode(data, (IERC20, Pool, Pool));
        IERC20 money = IERC20(token);
        money.transfer(address(buyFrom), amount);
        buyFrom.swap(money, address(sellTo));
        uint256 received = sellTo.swap(goods, address(this));
        if (received < amount + fee) revert NoProfit(received, amount + fee);
        money.transfer(address(lender), amount + fee);
        return keccak256("ERC3156FlashBorrower.onFlashLoan");
    }
}
