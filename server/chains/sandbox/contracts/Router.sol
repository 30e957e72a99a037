// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20, IERC20Permit} from "./Interfaces.sol";
import {Pool} from "./Pool.sol";

/// Swaps along a path of tokens through several pools.
contract Router {
    mapping(IERC20 => mapping(IERC20 => Pool)) public pools;

    event PoolAdded(Pool indexed pool, IERC20 indexed token0, IERC20 indexed token1);

    error NoPool(IERC20 from, IERC20 to);
    error TooLittleReceived(uint256 received, uint256 minimum);
    error Expired(uint256 deadline);

    function addPool(Pool pool) external {
        (IERC20 token0, IERC20 token1) = (pool.token0(), pool.token1());
        pools[token0][token1] = pool;
        pools[token1][token0] = pool;
        emit PoolAdded(pool, token0, token1);
    }

    function addLiquidity(IERC20 tokenA, IERC20 tokenB, uint256 amountA, uint256 amountB)
        external
        returns (uint256 shares)
    {
        Pool pool = _poolFor(tokenA, tokenB);
        tokenA.transferFrom(msg.sender, address(pool), amountA);
        tokenB.transferFrom(msg.sender, address(pool), amountB);
        return pool.mint(msg.sender);
    }

    function swapExactTokensForTokens(
        uint256 amountIn,
        uint256 amountOutMin,
        IERC20[] calldata path,
        address to,
        uint256 deadline
    ) external returns (uint256 amountOut) {
        if (block.timestamp > deadline) revert Expired(deadline);
        Pool pool = _poolFor(path[0], path[1]);
        path[0].transferFrom(msg.sender, address(pool), amountIn);
        for (uint256 i = 1; i < path.length; i++) {
            bool last = i == path.length - 1;
            Pool next = last ? pool : _poolFor(path[i], path[i + 1]);
            amountOut = pool.swap(path[i - 1], last ? to : address(next));
            pool = next;
        }
        if (amountOut < amountOutMin) revert TooLittleReceived(amountOut, amountOutMin);
    }

    /// Submits a signed approval, so that approval and swap fit into one transaction.
    function selfPermit(IERC20Permit token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        token.permit(msg.sender, address(this), value, deadline, v, r, s);
    }

    /// Runs several calls of this contract for one sender.
    function multicall(bytes[] calldata calls) external returns (bytes[] memory answers) {
        answers = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, bytes memory answer) = address(this).delegatecall(calls[i]);
            if (!ok) {
                assembly {
                    revert(add(answer, 32), mload(answer))
                }
            }
            answers[i] = answer;
        }
    }

    function _poolFor(IERC20 from, IERC20 to) private view returns (Pool pool) {
        pool = pools[from][to];
        if (address(pool) == address(0)) revert NoPool(from, to);
    }
}
