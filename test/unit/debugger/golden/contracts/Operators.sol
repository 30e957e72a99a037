// SPDX-License-Identifier: MIT
pragma solidity ^0.8.19;

type Fix is int128;
type Bare is int64;
type Mask is bytes4;

using {add as +, sub as -, negate as -, mul as *, div as /, lt as <, eq as ==, gt as >} for Fix global;
using {and as &, not as ~, same as ==, unequal as !=} for Mask global;

function add(Fix a, Fix b) pure returns (Fix) {
    return Fix.wrap(Fix.unwrap(a) + Fix.unwrap(b) + 100);
}

function sub(Fix a, Fix b) pure returns (Fix result) {
    unchecked {
        result = Fix.wrap(Fix.unwrap(a) - Fix.unwrap(b));
    }
}

function negate(Fix a) pure returns (Fix) {
    return Fix.wrap(1 - Fix.unwrap(a));
}

function mul(Fix a, Fix b) pure returns (Fix) {
    int128 sum;
    int128 times = Fix.unwrap(b);
    for (int128 i = 0; i < times; i++) {
        if (i == 1) continue;
        sum += Fix.unwrap(a);
    }
    return a < Fix.wrap(0) ? Fix.wrap(0) : Fix.wrap(sum);
}

function div(Fix a, Fix b) pure returns (Fix) {
    require(Fix.unwrap(b) != 0, "division");
    return Fix.wrap(Fix.unwrap(a) * 1000 / Fix.unwrap(b));
}

function lt(Fix a, Fix b) pure returns (bool) {
    return Fix.unwrap(a) < Fix.unwrap(b);
}

function gt(Fix a, Fix b) pure returns (bool) {
    return b < a;
}

function eq(Fix a, Fix b) pure returns (bool) {
    return Fix.unwrap(a) / 10 == Fix.unwrap(b) / 10;
}

function and(Mask a, Mask b) pure returns (Mask) {
    return Mask.wrap(Mask.unwrap(a) & Mask.unwrap(b));
}

function not(Mask a) pure returns (Mask) {
    return Mask.wrap(~Mask.unwrap(a));
}

function same(Mask a, Mask b) pure returns (bool result) {
    assembly {
        result := eq(a, b)
    }
}

function unequal(Mask a, Mask b) pure returns (bool) {
    return !(a == b);
}

contract Operators {
    Fix internal a = Fix.wrap(1500);
    Fix internal b = Fix.wrap(-2251);
    Fix internal least = Fix.wrap(type(int128).min);
    Bare internal low = Bare.wrap(-1);
    Bare internal high = Bare.wrap(1);
    Mask internal mask = Mask.wrap(0xff00ff00);
    uint256 internal seen;

    function run() external {
        for (uint256 i = 0; i < 4; i++) {
            a = a + b;
            if (a < b) seen = i;
        }
    }
}
