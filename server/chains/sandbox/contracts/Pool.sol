// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "./Interfaces.sol";
import {TokenBase} from "./TokenBase.sol";

/// A constant-product pool of two tokens with a fee of 0.3 %. Callers send the tokens first, then call the pool.
contract Pool is TokenBase {
    string public constant name = "Harbor Pool Share";
    string public constant symbol = "HPS";
    uint8 public constant decimals = 18;

    IERC20 public immutable token0;
    IERC20 public immutable token1;
    uint112 public reserve0;
    uint112 public reserve1;

    event Mint(address indexed sender, uint256 amount0, uint256 amount1);
    event Swap(
        address indexed sender,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out,
        address indexed to
    );
    event Sync(uint112 reserve0, uint112 reserve1);

    error NothingSent();
    error UnknownToken(address token);

    constructor(IERC20 token0_, IERC20 token1_) {
        token0 = token0_;
        token1 = token1_;
    }

    /// Mints shares for the tokens that were sent. The first provider sets the price.
    function mint(address to) external returns (uint256 shares) {
        uint256 amount0 = token0.balanceOf(address(this)) - reserve0;
        uint256 amount1 = token1.balanceOf(address(this)) - reserve1;
        if (amount0 == 0 || amount1 == 0) revert NothingSent();
        shares = totalSupply == 0 ? amount0 : (amount0 * totalSupply) / reserve0;
        _mint(to, shares);
        _sync();
        emit Mint(msg.sender, amount0, amount1);
    }

    /// Output amount for `amountIn` of `tokenIn` at the current reserves.
    function quote(IERC20 tokenIn, uint256 amountIn) public view returns (uint256) {
        if (tokenIn != token0 && tokenIn != token1) revert UnknownToken(address(tokenIn));
        (uint256 reserveIn, uint256 reserveOut) =
            tokenIn == token0 ? (reserve0, reserve1) : (reserve1, reserve0);
        uint256 afterFee = amountIn * 997;
        return (afterFee * reserveOut) / (reserveIn * 1000 + afterFee);
    }

    /// Swaps all of `tokenIn` that was sent since the last call.
    function swap(IERC20 tokenIn, address to) external returns (uint256 amountOut) {
        bool zeroIn = tokenIn == token0;
        uint256 amountIn = tokenIn.balanceOf(address(this)) - (zeroIn ? reserve0 : reserve1);
        if (amountIn == 0) revert NothingSent();
        amountOut = quote(tokenIn, amountIn);
        (zeroIn ? token1 : token0).transfer(to, amountOut);
        _sync();
        if (zeroIn) emit Swap(msg.sender, amountIn, 0, 0, amountOut, to);
        else emit Swap(msg.sender, 0, amountIn, amountOut, 0, to);
    }

    function _sync() private {
        reserve0 = uint112(token0.balanceOf(address(this)));
        reserve1 = uint112(token1.balanceOf(address(this)));
        emit Sync(reserve0, reserve1);
    }
}
