pragma solidity >=0.4.22;

contract Inner {
    function fail() external pure {
        revert("inner");
    }

    function failWithout() external pure {
        revert();
    }

    function halt() external pure {
        assert(false);
    }

    function long() external pure {
        revert("a reason that is much longer than thirty-two bytes, so that its data are as well");
    }
}

/// Failures that callers pass on, and others.
contract Middle {
    Inner internal inner = new Inner();

    function passOn() external view {
        inner.fail();
    }

    function passOnLong() external view {
        inner.long();
    }

    function passOnWithout() external view {
        inner.failWithout();
    }

    function passOnHalt() external view {
        inner.halt();
    }

    function check() external {
        (bool ok, ) = address(inner).call(abi.encodeWithSignature("fail()"));
        require(ok, "checked");
    }

    function checkWithout() external {
        (bool ok, ) = address(inner).call(abi.encodeWithSignature("failWithout()"));
        require(ok);
    }

    function repeat() external {
        (bool ok, ) = address(inner).call(abi.encodeWithSignature("fail()"));
        ok;
        revert("inner");
    }

    function later() external {
        (bool ok, ) = address(inner).call(abi.encodeWithSignature("halt()"));
        ok;
        assert(false);
    }
}

contract Outer {
    Middle internal middle = new Middle();

    function passOn() external view {
        middle.passOn();
    }

    function check() external {
        middle.check();
    }
}
