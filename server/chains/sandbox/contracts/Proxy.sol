// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// A proxy whose implementation and admin are in the storage slots of ERC-1967.
contract Proxy {
    /// keccak256("eip1967.proxy.implementation") - 1
    bytes32 private constant IMPLEMENTATION =
        0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    /// keccak256("eip1967.proxy.admin") - 1
    bytes32 private constant ADMIN =
        0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;

    event Upgraded(address indexed implementation);

    error NotAdmin(address caller);

    constructor(address implementation, bytes memory call_) {
        bytes32 slot = ADMIN;
        address admin = msg.sender;
        assembly {
            sstore(slot, admin)
        }
        _upgrade(implementation, call_);
    }

    receive() external payable {
        _delegate();
    }

    fallback() external payable {
        _delegate();
    }

    function upgradeToAndCall(address implementation, bytes calldata call_) external payable {
        address admin;
        bytes32 slot = ADMIN;
        assembly {
            admin := sload(slot)
        }
        if (msg.sender != admin) revert NotAdmin(msg.sender);
        _upgrade(implementation, call_);
    }

    function _upgrade(address implementation, bytes memory call_) private {
        bytes32 slot = IMPLEMENTATION;
        assembly {
            sstore(slot, implementation)
        }
        emit Upgraded(implementation);
        if (call_.length == 0) return;
        (bool ok, bytes memory answer) = implementation.delegatecall(call_);
        if (!ok) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
    }

    function _delegate() private {
        bytes32 slot = IMPLEMENTATION;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(slot), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}
