// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Calls itself twice at each level: 2^levels - 1 frames in total.
contract Fractal {
    event Leaf(uint256 path);

    function grow(uint256 levels, uint256 path) external {
        if (levels > 1) {
            this.grow(levels - 1, path * 2);
            this.grow(levels - 1, path * 2 + 1);
        } else if (path % 256 == 0) {
            emit Leaf(path);
        }
    }

    /// Nested calls, `levels` deep.
    function descend(uint256 levels) external {
        if (levels > 1) this.descend(levels - 1);
        else emit Leaf(0);
    }
}
