/** What came with Solidity 0.6 and later. */
export const MODERN = `
contract Target {
    error Bad(uint256 code);
    function go(uint256 a) external pure returns (uint256, bytes memory) {
        if (a == 1) revert("one");
        if (a == 2) revert Bad(a);
        if (a == 3) assert(a == 0);
        return (a * 2, hex"0102");
    }
}
type Price is uint64;
enum Color { Red, Green, Blue }
uint256 constant FILE_LEVEL = 7;
function free(uint256 a) pure returns (uint256 b) {
    b = a + FILE_LEVEL;
}
contract Modern {
    event Number(uint256 a);
    event Numbers(uint256 a, uint256 b);
    event Bytes(bytes a);
    event Text(string a);
    event Values(uint64 a, uint8 b, uint256 c);
    struct Deep { uint8 small; uint16[] list; Inner inner; string name; }
    struct Inner { bool flag; bytes5 five; }
    uint256 internal immutable fixedAt;
    bytes4 internal immutable four;
    constructor() { fixedAt = 42; four = 0xaabbccdd; }
    function run(Target target, Deep calldata deep, Inner[] calldata inners) external {
        for (uint256 i = 0; i < 5; i++) {
            try target.go(i) returns (uint256 result, bytes memory data) {
                uint256 more = result + 1;
                emit Numbers(result, more);
                emit Bytes(data);
            } catch Error(string memory reason) {
                emit Text(reason);
                emit Number(i);
            } catch Panic(uint256 code) {
                emit Numbers(code, i);
            } catch (bytes memory low) {
                emit Bytes(low);
                emit Number(i);
            }
        }
        emit Number(deep.list[1]);
        emit Text(deep.name);
        emit Numbers(deep.small, inners.length);
        Deep memory copy = deep;
        copy.small = 9;
        emit Numbers(copy.small, copy.list.length);
        emit Text(copy.name);
        Inner memory one = inners[1];
        Price price = Price.wrap(uint64(copy.small));
        Color color = Color.Blue;
        emit Values(Price.unwrap(price), uint8(color), free(1) + fixedAt);
        uint256 x = fixedAt + FILE_LEVEL;
        emit Numbers(x, one.flag ? 1 : 0);
        bytes calldata part = msg.data[4:8];
        emit Bytes(part);
        unchecked {
            uint256 wrapped = 0;
            wrapped--;
            emit Number(wrapped);
        }
        (, uint256 second) = (uint256(1), uint256(2));
        uint256 shadow = second;
        { uint256 shadow2 = shadow + 1; emit_(shadow2); }
        emit Numbers(second, shadow);
    }
    function emit_(uint256 shadow) internal {
        emit Number(shadow);
    }
}
`;
