// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Transient storage: a lock, and a number that lasts as long as the transaction.
contract Till {
    bool private transient entered;
    uint128 internal transient depth;
    mapping(address => uint256) internal paid;

    modifier guarded() {
        require(!entered, "entered");
        entered = true;
        _;
        entered = false;
    }

    function pay(address to) external payable guarded {
        depth += 1;
        paid[to] += msg.value;
        (bool ok, bytes memory answer) = to.call{value: msg.value / 2}("");
        if (!ok) paid[to] = answer.length;
    }
}

contract Greedy {
    Till internal till;

    constructor(Till till_) {
        till = till_;
    }

    receive() external payable {
        till.pay{value: msg.value}(address(this));
    }
}

/// Inline assembly: variables, functions, loops.
contract Machine {
    uint256 internal kept;

    function run(uint256 n) external returns (uint256 total) {
        assembly {
            function square(x) -> y {
                y := mul(x, x)
            }
            for { let i := 1 } lt(i, n) { i := add(i, 1) } {
                let s := square(i)
                total := add(total, s)
            }
            sstore(kept.slot, total)
            let slot := kept.slot
            mstore(0, slot)
        }
        uint256 next = total + 1;
        kept = next;
    }
}

/// Variables that share slots, a private one of a base, and a slot without a name.
contract Base {
    uint256 private transient count;

    function note() internal {
        count += 2;
    }
}

contract Scratch is Base {
    bool internal transient locked;
    uint64 internal transient count;
    address internal transient user;

    function run() external {
        locked = true;
        count = 7;
        note();
        assembly {
            tstore(0x99, 42)
        }
        user = msg.sender;
        locked = false;
    }
}
