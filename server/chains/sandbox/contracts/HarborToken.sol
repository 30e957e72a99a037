// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20Permit} from "./Interfaces.sol";
import {TokenBase} from "./TokenBase.sol";

/// An ERC-20 with 18 decimals that accepts signed approvals (EIP-2612).
contract HarborToken is TokenBase, IERC20Permit {
    string public constant name = "Harbor";
    string public constant symbol = "HBR";
    uint8 public constant decimals = 18;

    bytes32 private constant PERMIT_TYPE = keccak256(
        "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
    );

    mapping(address => uint256) public nonces;

    constructor(address holder, uint256 supply) {
        _mint(holder, supply);
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256("1"),
                block.chainid,
                address(this)
            )
        );
    }

    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(block.timestamp <= deadline, "Permit: expired");
        bytes32 content =
            keccak256(abi.encode(PERMIT_TYPE, owner, spender, value, nonces[owner]++, deadline));
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), content));
        address signer = ecrecover(digest, v, r, s);
        require(signer != address(0) && signer == owner, "Permit: wrong signer");
        _approve(owner, spender, value);
    }
}
