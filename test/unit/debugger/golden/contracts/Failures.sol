// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Oracle {
    error Stale(uint256 age, string source);

    function price(uint256 kind) external pure returns (uint256 value, string memory unit) {
        if (kind == 1) revert("no price");
        if (kind == 2) revert Stale({age: 600, source: "feed"});
        if (kind == 3) value = 1 / (value * kind);
        return (kind * 100, "cents");
    }
}

/// Failures that a caller catches.
contract Reader {
    uint256 internal good;
    string internal lastReason;

    function readAll(Oracle oracle) external {
        for (uint256 kind = 0; kind < 4; kind++) {
            try oracle.price(kind) returns (uint256 value, string memory unit) {
                good += value + bytes(unit).length;
            } catch Error(string memory reason) {
                lastReason = reason;
            } catch Panic(uint256 code) {
                good += code;
            } catch (bytes memory data) {
                good += data.length;
            }
        }
    }

    function swallow(Oracle oracle) external returns (bool ok, bytes memory answer) {
        (ok, answer) = address(oracle).call(abi.encodeCall(oracle.price, (2)));
        good = answer.length;
        (ok,) = address(this).call(abi.encodeWithSignature("nested(address)", oracle));
        good++;
    }

    function nested(Oracle oracle) external {
        good = 1000;
        oracle.price(1);
        good = 2000;
    }
}
