// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Every kind of state variable.
contract Registry {
    enum Status { None, Open, Closed }

    struct Entry {
        uint128 amount;
        Status status;
        bool paid;
        address owner;
        uint256[] parts;
    }

    string internal title = "short";
    bytes internal blob;
    Entry[] internal entries;
    mapping(address => mapping(uint256 => Entry)) internal byOwner;
    mapping(string => uint256) internal named;
    uint16[5] internal fixedOnes;
    Status internal status;
    int64 internal debt;
    bytes4 internal tag;

    function fill(string calldata name, bytes calldata data, uint256 id) external {
        title = name;
        blob = data;
        entries.push();
        Entry storage entry = entries[0];
        entry.amount = 7;
        entry.status = Status.Closed;
        entry.owner = msg.sender;
        entry.parts.push(10);
        entry.parts.push(20);
        byOwner[msg.sender][id] = entry;
        named[name] = id;
        fixedOnes[3] = 300;
        status = Status.Open;
        debt = -5;
        tag = 0xdeadbeef;
        delete entries[0].parts[0];
        entries.pop();
        title = "";
    }
}
