pragma solidity ^0.5.0;
pragma experimental ABIEncoderV2;

library Dates {
    enum Day { Monday, Tuesday, Sunday }

    function next(Day day) internal pure returns (Day) {
        if (day == Day.Sunday) return Day.Monday;
        return Day(uint8(day) + 1);
    }
}

/// Structs, enums and bytes, before Solidity 0.6.
contract Ledger {
    using Dates for Dates.Day;

    struct Line { bytes text; Dates.Day day; int16 sum; }

    Line[] internal lines;
    mapping(uint8 => mapping(bytes32 => Line)) internal index;
    Dates.Day internal today = Dates.Day.Sunday;

    function write(Line memory line, bytes32 key, uint8 page) public returns (uint256 count) {
        line.day = today.next();
        Line storage kept = index[page][key];
        kept.text = line.text;
        kept.sum = -line.sum;
        lines.push(line);
        bytes memory copy = kept.text;
        copy[0] = "X";
        lines[0].text = copy;
        count = lines.length;
        today = line.day.next();
        assert(count == 1);
        delete index[page][key];
    }
}
