// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Functions that call super, in the order of the linearization: Both, Right, Left, Base.
contract Base {
    uint256 internal counter = 1;
    uint256 private secret;

    modifier locked(uint256 by) {
        require(secret == 0, "locked");
        secret = by;
        _;
        secret = 0;
    }

    function visit(uint256 step) public virtual returns (uint256) {
        counter += step;
        return counter;
    }
}

contract Left is Base {
    function visit(uint256 step) public virtual override returns (uint256) {
        uint256 deeper = super.visit(step * 2);
        return deeper + 1;
    }
}

contract Right is Base {
    uint256 private secret = 5;

    function visit(uint256 step) public virtual override returns (uint256) {
        uint256 deeper = super.visit(step * 3);
        return deeper + 10;
    }
}

contract Both is Left, Right {
    function visit(uint256 step)
        public
        override(Left, Right)
        locked(step + 7)
        returns (uint256 out)
    {
        out = super.visit(step);
        counter = out;
    }
}
