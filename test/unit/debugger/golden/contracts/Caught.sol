pragma solidity >=0.6.0;

/// Failures that a clause of `try` catches.
contract Caught {
    uint256 internal count;

    function fail() external pure {
        revert("inner");
    }

    function failWithout() external pure {
        revert();
    }

    function ignore() external view {
        try this.fail() {} catch {}
        revert("the real one");
    }

    function ignoreSame() external view {
        try this.fail() {} catch {}
        revert("inner");
    }

    function ignoreWithout() external view {
        try this.failWithout() {} catch {}
        revert();
    }

    function again() external view {
        try this.fail() {} catch Error(string memory reason) {
            revert(reason);
        }
    }

    function passOn() external view {
        try this.fail() {} catch (bytes memory data) {
            assembly { revert(add(data, 32), mload(data)) }
        }
    }

    function passOnByCall() external {
        (bool ok, bytes memory data) = address(this).call(abi.encodeWithSignature("fail()"));
        if (!ok) {
            count += data.length;
            assembly { revert(add(data, 32), mload(data)) }
        }
    }

    function loop() external {
        for (uint256 i = 0; i < 3; i++) {
            try this.fail() {} catch {
                count++;
            }
        }
        this.failWithout();
    }
}
