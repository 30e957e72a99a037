pragma solidity >=0.4.22;

contract FunctionTypes {
    function(uint256) internal pure returns (uint256) internal kept = square;
    function(uint256) external pure returns (uint256) internal away;
    uint256 internal result;

    function square(uint256 z) internal pure returns (uint256) {
        return z * z;
    }

    function cube(uint256 z) internal pure returns (uint256) {
        return z * z * z;
    }

    function same(uint256 z) external pure returns (uint256) {
        return z;
    }

    function run(uint256 n) external returns (uint256 out) {
        uint256 a = n + 1;
        function(uint256) internal pure returns (uint256) chosen = n > 3 ? square : cube;
        uint256 b = chosen(a);
        function (uint256) internal pure returns (uint256) fixed_ = square;
        function(uint256) external pure returns (uint256) own = this.same;
        uint256 c = fixed_(b) + own(2);
        away = own;
        kept = chosen;
        result = apply_(kept, c);
        out = result;
    }

    function apply_(function(uint256) internal pure returns (uint256) f, uint256 to) internal pure returns (uint256) {
        return f(to);
    }
}

contract Maker {
    uint256 internal made;

    constructor() public {
        function(uint256) internal pure returns (uint256) f = twice;
        made = f(21);
    }

    function twice(uint256 z) internal pure returns (uint256) {
        return 2 * z;
    }
}
