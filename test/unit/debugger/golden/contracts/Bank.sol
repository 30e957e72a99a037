pragma solidity ^0.4.24;

contract Owned {
    address internal owner;

    constructor() public {
        owner = msg.sender;
    }

    modifier onlyOwner() {
        if (msg.sender != owner) throw;
        _;
    }
}

contract Purse {
    uint256 public kept;
    address internal from;

    constructor(address from_) public payable {
        from = from_;
        kept = msg.value;
    }
}

/// Of the time before Solidity 0.5: variables of whole functions, var, throw, a fallback function without a name.
contract Bank is Owned {
    mapping(address => uint) internal balances;
    Purse[] internal purses;
    uint8 internal tiny = 250;

    function() public payable {
        balances[msg.sender] += msg.value;
    }

    function open(uint amount) onlyOwner public returns (bool) {
        var half = amount / 2;
        for (uint i = 0; i < 2; i++) {
            uint share = half + i;
            Purse purse = (new Purse).value(share)(this);
            purses.push(purse);
        }
        tiny += 10;
        share = purse.kept();
        return share == half + i - 1;
    }
}
