// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC1155Receiver, IERC721Receiver} from "./Interfaces.sol";

/// Holds ether, tokens, collectibles (ERC-721) and goods (ERC-1155).
contract Treasury is IERC721Receiver, IERC1155Receiver {
    event Received(address indexed token, address indexed from, uint256 id, uint256 value);

    receive() external payable {}

    function onERC721Received(address, address from, uint256 tokenId, bytes calldata)
        external
        returns (bytes4)
    {
        emit Received(msg.sender, from, tokenId, 1);
        return this.onERC721Received.selector;
    }

    function onERC1155Received(address, address from, uint256 id, uint256 value, bytes calldata)
        external
        returns (bytes4)
    {
        emit Received(msg.sender, from, id, value);
        return this.onERC1155Received.selector;
    }

    function onERC1155BatchReceived(
        address,
        address from,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata
    ) external returns (bytes4) {
        for (uint256 i = 0; i < ids.length; i++) emit Received(msg.sender, from, ids[i], values[i]);
        return this.onERC1155BatchReceived.selector;
    }
}
