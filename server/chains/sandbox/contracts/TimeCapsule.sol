// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Holds ether until a date, then destroys itself and pays its owner.
contract TimeCapsule {
    address payable public immutable owner;
    uint256 public immutable opensAt;

    error DateInPast(uint256 opensAt, uint256 today);
    error TooEarly(uint256 opensAt);

    constructor(address payable owner_, uint256 opensAt_) payable {
        if (opensAt_ < block.timestamp) revert DateInPast(opensAt_, block.timestamp);
        owner = owner_;
        opensAt = opensAt_;
    }

    function open() external {
        if (block.timestamp < opensAt) revert TooEarly(opensAt);
        selfdestruct(owner);
    }
}

/// Creates time capsules: at the next address (CREATE) or at a chosen one (CREATE2).
contract CapsuleFactory {
    event Buried(TimeCapsule indexed capsule, address indexed owner, uint256 value);

    function bury(uint256 opensAt) external payable returns (TimeCapsule capsule) {
        capsule = new TimeCapsule{value: msg.value}(payable(msg.sender), opensAt);
        emit Buried(capsule, msg.sender, msg.value);
    }

    function buryAt(bytes32 salt, uint256 opensAt) external payable returns (TimeCapsule capsule) {
        capsule = new TimeCapsule{value: msg.value, salt: salt}(payable(msg.sender), opensAt);
        emit Buried(capsule, msg.sender, msg.value);
    }

    /// Created and destroyed in one transaction: the only case that still removes the code (EIP-6780).
    function buryAndOpen() external payable {
        TimeCapsule capsule = new TimeCapsule{value: msg.value}(payable(msg.sender), block.timestamp);
        emit Buried(capsule, msg.sender, msg.value);
        capsule.open();
    }
}
