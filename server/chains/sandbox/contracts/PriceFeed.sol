// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// A price in US dollars with 8 decimals, with the interface of Chainlink's feeds.
contract PriceFeed {
    struct Round {
        int256 answer;
        uint256 updatedAt;
    }

    uint8 public constant decimals = 8;
    uint256 public constant version = 1;
    string public description;
    address public immutable reporter;
    uint80 public latestRound;
    mapping(uint80 => Round) private rounds;

    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    error NotReporter(address caller);

    constructor(string memory description_, address reporter_, int256 answer) {
        description = description_;
        reporter = reporter_;
        _report(answer);
    }

    function report(int256 answer) external {
        if (msg.sender != reporter) revert NotReporter(msg.sender);
        _report(answer);
    }

    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        return getRoundData(latestRound);
    }

    function getRoundData(uint80 id)
        public
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        Round storage round = rounds[id];
        require(round.updatedAt != 0, "No data present");
        return (id, round.answer, round.updatedAt, round.updatedAt, id);
    }

    function _report(int256 answer) private {
        latestRound++;
        rounds[latestRound] = Round(answer, block.timestamp);
        emit AnswerUpdated(answer, latestRound, block.timestamp);
    }
}
