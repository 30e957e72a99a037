// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20, IFlashBorrower} from "./Interfaces.sol";

/// Lends its tokens for the duration of one call, for a fee of 0.09 % (EIP-3156).
contract FlashLender {
    uint256 public constant FEE_BASIS_POINTS = 9;
    bytes32 private constant ACCEPTED = keccak256("ERC3156FlashBorrower.onFlashLoan");

    event FlashLoan(address indexed borrower, address indexed token, uint256 amount, uint256 fee);

    error LoanNotAccepted(address borrower);
    error NotRepaid(uint256 expected, uint256 found);

    function flashFee(IERC20, uint256 amount) public pure returns (uint256) {
        return (amount * FEE_BASIS_POINTS) / 10_000;
    }

    function flashLoan(IFlashBorrower borrower, IERC20 token, uint256 amount, bytes calldata data)
        external
        returns (bool)
    {
        uint256 fee = flashFee(token, amount);
        uint256 expected = token.balanceOf(address(this)) + fee;
        token.transfer(address(borrower), amount);
        if (borrower.onFlashLoan(msg.sender, address(token), amount, fee, data) != ACCEPTED) {
            revert LoanNotAccepted(address(borrower));
        }
        uint256 found = token.balanceOf(address(this));
        if (found < expected) revert NotRepaid(expected, found);
        emit FlashLoan(address(borrower), address(token), amount, fee);
        return true;
    }
}
