// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// The part of Chainlink's feeds that the vault uses.
interface IPriceFeed {
    function decimals() external view returns (uint8);
    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound);
}

/// A price of ether in US dollars with 18 decimals, which stays.
contract SteadyFeed is IPriceFeed {
    uint8 public constant decimals = 18;
    int256 private immutable price;

    constructor(int256 price_) {
        price = price_;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, price, block.timestamp, block.timestamp, 1);
    }
}

/// Holds ether for its users and owes it in US dollars. It takes for granted that a feed has 18 decimals.
contract DollarVault {
    address public immutable keeper;
    IPriceFeed public feed;
    /// US dollars with 18 decimals.
    mapping(address => uint256) public creditOf;
    uint256 public totalCredit;

    event Deposited(address indexed account, uint256 amount, uint256 credit);
    event Withdrawn(address indexed account, uint256 amount, uint256 credit);
    event CreditMoved(address indexed from, address indexed to, uint256 credit);
    event FeedChanged(IPriceFeed feed);

    error NotKeeper(address caller);
    error CreditTooLow(uint256 credit, uint256 needed);

    constructor(IPriceFeed feed_) {
        keeper = msg.sender;
        feed = feed_;
    }

    function deposit() external payable {
        uint256 credit = worth(msg.value);
        creditOf[msg.sender] += credit;
        totalCredit += credit;
        emit Deposited(msg.sender, msg.value, credit);
    }

    function withdraw(uint256 amount) external {
        uint256 needed = worth(amount);
        uint256 credit = creditOf[msg.sender];
        if (credit < needed) revert CreditTooLow(credit, needed);
        creditOf[msg.sender] = credit - needed;
        totalCredit -= needed;
        emit Withdrawn(msg.sender, amount, needed);
        (bool sent,) = msg.sender.call{value: amount}("");
        require(sent, "DollarVault: ether not sent");
    }

    function moveCredit(address to, uint256 credit) external {
        uint256 held = creditOf[msg.sender];
        if (held < credit) revert CreditTooLow(held, credit);
        creditOf[msg.sender] = held - credit;
        creditOf[to] += credit;
        emit CreditMoved(msg.sender, to, credit);
    }

    function setFeed(IPriceFeed next) external {
        if (msg.sender != keeper) revert NotKeeper(msg.sender);
        feed = next;
        emit FeedChanged(next);
    }

    /// Wei.
    function totalAssets() external view returns (uint256) {
        return address(this).balance;
    }

    /// Wei, at the price of now.
    function totalOwed() external view returns (uint256) {
        return totalCredit * 1 ether / etherPrice();
    }

    /// US dollars with 18 decimals.
    function worth(uint256 amount) public view returns (uint256) {
        return amount * etherPrice() / 1 ether;
    }

    /// US dollars with 18 decimals.
    function etherPrice() public view returns (uint256) {
        (, int256 answer,,,) = feed.latestRoundData();
        return uint256(answer);
    }
}
