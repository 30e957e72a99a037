// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "./Interfaces.sol";

/// Pays a list of members. A failed payment is rolled back with its events and recorded; the next one continues.
contract Payroll {
    IERC20 public immutable token;
    uint256 public immutable limit;

    event PaymentStarted(address indexed employee, uint256 amount);
    event PaymentFailed(address indexed employee, uint256 amount, bytes reason);

    error OnlySelf(address caller);
    error AboveLimit(address employee, uint256 amount, uint256 limit);

    constructor(IERC20 token_, uint256 limit_) {
        token = token_;
        limit = limit_;
    }

    function run(address[] calldata employees, uint256[] calldata amounts) external {
        for (uint256 i = 0; i < employees.length; i++) {
            try this.pay(employees[i], amounts[i]) {}
            catch (bytes memory reason) {
                emit PaymentFailed(employees[i], amounts[i], reason);
            }
        }
    }

    /// The check is last on purpose: the events before it have to be rolled back with the payment.
    function pay(address employee, uint256 amount) external {
        if (msg.sender != address(this)) revert OnlySelf(msg.sender);
        emit PaymentStarted(employee, amount);
        token.transfer(employee, amount);
        if (amount > limit) revert AboveLimit(employee, amount, limit);
    }
}
