// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Values in memory and in call data.
contract Memory {
    struct Point {
        int32 x;
        int32 y;
    }

    struct Path {
        string name;
        Point[] points;
        Point last;
    }

    function run(string calldata name, Point[] calldata points, bytes32 tag)
        external
        pure
        returns (Path memory path)
    {
        path.name = name;
        path.points = new Point[](points.length);
        for (uint256 i = 0; i < points.length; i++) {
            Point memory copy = points[i];
            copy.x = -copy.x;
            path.points[i] = copy;
        }
        Point memory last = path.points[points.length - 1];
        path.last = last;
        last.y = 100;
        bytes memory packed = abi.encodePacked(tag, path.last.y);
        packed[0] = 0xff;
        string[2] memory words = ["one", name];
        words[0] = string(bytes.concat(bytes(words[1]), "!"));
        (int32 x, int32 y) = swap(last);
        require(x == y, "not equal");
    }

    function swap(Point memory point) internal pure returns (int32, int32) {
        (point.x, point.y) = (point.y, point.x);
        return (point.x, point.y);
    }
}
