// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Uses up whatever gas it gets.
contract GasGuzzler {
    uint256 public rounds;

    event GaveUp(uint256 gasGiven);

    function spin() external {
        while (true) rounds++;
    }

    /// The same in a call with little gas, of which the caller survives the end.
    function spinBriefly(uint256 gasGiven) external {
        try this.spin{gas: gasGiven}() {}
        catch {
            emit GaveUp(gasGiven);
        }
    }
}
