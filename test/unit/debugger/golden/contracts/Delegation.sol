// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

library Maths {
    struct Pair { uint256 x; uint256 y; }

    function swap(Pair storage pair, uint256 plus) external returns (uint256 old) {
        old = pair.x;
        pair.x = pair.y + plus;
        pair.y = old;
    }

    function twice(uint256 a) internal pure returns (uint256) {
        return a * 2;
    }
}

contract Logic {
    address internal logic;
    uint256 internal value;
    uint256 internal immutable factor;

    constructor(uint256 factor_) {
        factor = factor_;
    }

    function set(uint256 to) external payable returns (uint256) {
        value = to * factor;
        return value + 1;
    }
}

/// Forwards every call to its logic, which runs in the storage of the forwarder.
contract Forwarder {
    address internal logic;
    uint256 internal value = 3;

    constructor(address logic_) {
        logic = logic_;
    }

    fallback() external payable {
        address to = logic;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

contract User {
    using Maths for Maths.Pair;
    using Maths for uint256;
    Maths.Pair internal pair;

    function run(uint256 start) external returns (uint256 got) {
        pair.x = start;
        pair.y = start.twice();
        got = pair.swap(100);
        got += pair.x;
    }
}

contract Inlet {
    address internal logic;
    uint256 internal value;

    receive() external payable {
        value += msg.value;
    }
}
