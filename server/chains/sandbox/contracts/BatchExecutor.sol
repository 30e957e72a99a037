// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Code for an externally owned account (EIP-7702): the account calls itself to execute several calls in one transaction.
contract BatchExecutor {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    event Executed(uint256 calls);

    error OnlySelf(address caller);

    receive() external payable {}

    function execute(Call[] calldata calls) external payable {
        if (msg.sender != address(this)) revert OnlySelf(msg.sender);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, bytes memory answer) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            if (!ok) {
                assembly {
                    revert(add(answer, 32), mload(answer))
                }
            }
        }
        emit Executed(calls.length);
    }
}
