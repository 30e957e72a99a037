// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Consumes all of its gas.
contract GasGuzzler {
    uint256 public rounds;

    event GaveUp(uint256 gasGiven);

    function spin() external {
        while (true) rounds++;
    }

    /// The same in a nested call with little gas; the caller continues after its failure.
    function spinBriefly(uint256 gasGiven) external {
        try this.spin{gas: gasGiven}() {}
        catch {
            emit GaveUp(gasGiven);
        }
    }
}
