import assert from 'node:assert/strict';
import { debugTwin, type Run } from './debugged';

const optimizer = { enabled: true, runs: 200 };
const TEXT = `
contract Part {
    uint256 public immutable size;
    constructor(uint256 size_) payable { size = size_ + 1; }
    function half() external view returns (uint256) { uint256 twice = size * 2; return twice / 4; }
}
contract Whole {
    event Seen(uint256 value);
    error Wrong(uint256 value);
    uint128 left;
    uint128 right;
    uint256 other;

    function parts(uint256 n) external payable returns (uint256 sum) {
        for (uint256 i = 0; i < n; i++) {
            Part part = new Part{salt: bytes32(i), value: 1}(i * 10);
            sum += part.half();
            emit Seen(uint160(address(part)));
        }
    }
    function gas_(uint256 n) external {
        uint256 before = gasleft();
        other = n;
        emit Seen(before - gasleft());
    }
    function size() external {
        uint256 length;
        assembly { length := codesize() }
        emit Seen(length);
    }
    function ownCode() external {
        uint256 length = address(this).code.length;
        emit Seen(length);
        emit Seen(uint256(address(this).codehash));
    }
    function burn() public {
        for (uint256 i = 0; ; i++) other = i;
    }
    function outOfGas() external returns (bool isDone) {
        (isDone,) = address(this).call{gas: 30000}(abi.encodeWithSelector(this.burn.selector));
        other = 5;
        emit Seen(isDone ? 1 : 2);
    }
    function slots(uint128 a, uint128 b) external {
        left = a;
        right = b;
        left = right + 1;
        emit Seen(left);
    }
    function fails(uint256 n) external {
        other = n;
        uint256 twice = n * 2;
        if (twice > 6) revert Wrong(twice);
    }
    function panics(uint256 n) external pure returns (uint256) {
        uint256[] memory list = new uint256[](2);
        return list[n];
    }
    function end(address payable heir) external {
        other = 1;
        selfdestruct(heir);
    }
    function poor() external returns (bool isPaid) {
        isPaid = payable(address(1234)).send(10 ether);
        emit Seen(isPaid ? 1 : 0);
    }
    function free(uint256 n) external {
        uint256 pointer;
        assembly { pointer := mload(0x40) }
        uint256[] memory list = new uint256[](n);
        assembly { pointer := sub(mload(0x40), pointer) }
        list[0] = pointer;
        emit Seen(list[0]);
    }
}
`;
const run = (call: string, ...values: unknown[]): Run => ({
  text: TEXT,
  contract: 'Whole',
  call: `function ${call}`,
  values,
  settings: { optimizer },
});

describe('an unoptimized build beside the executed code', function () {
  this.timeout(60_000);

  async function assertSame(one: Run): Promise<Awaited<ReturnType<typeof debugTwin>>> {
    const debugged = await debugTwin(one);
    assert.deepEqual(debugged.twin.differences, []);
    assert.equal(debugged.twin.same, debugged.twin.of);
    assert.ok(debugged.twin.of > 0);
    return debugged;
  }

  it('creates the same contracts, whose addresses depend on the executed creation code', async () => {
    const { recording } = await assertSame({ ...run('parts(uint256)', 3), value: 5n });
    assert.equal(recording.logs.length, 3);
  });

  it('reads the gas of the executed code', async () => {
    const { twin } = await assertSame(run('gas_(uint256)', 7));
    assert.equal(twin.unprovedGas.size, 0);
  });

  it('sees the executed code of its own account', () => assertSame(run('ownCode()')));
  it('writes slots that the optimizer writes at once', () =>
    assertSame(run('slots(uint128,uint128)', 3, 4)));
  it('reverts with the same error', () => assertSame(run('fails(uint256)', 4)));
  it('reverts with the same panic', () => assertSame(run('panics(uint256)', 2)));
  it('destroys itself for the same heir', () =>
    assertSame(run('end(address)', `0x${'77'.repeat(20)}`)));
  it('cannot pay either', () => assertSame(run('poor()')));
  it('allocates the same memory', () => assertSame(run('free(uint256)', 2)));

  it('names the first effect that differs, and executes the executed code', async () => {
    const { twin, recording } = await debugTwin(run('size()'));
    const [difference, ...others] = twin.differences;
    assert.deepEqual(others, []);
    assert.match(
      difference!.text,
      /^the executed build has a log of .* and the unoptimized one a log of /,
    );
    assert.equal(twin.same, 0);
    assert.equal(twin.of, 2);
    assert.equal(recording.logs.length, 1);
  });

  it('leaves a call that runs out of gas as it was, and has the others', async () => {
    const { twin, recording } = await debugTwin(run('outOfGas()'));
    assert.match(twin.differences[0]!.text, /^it runs out of gas/);
    assert.deepEqual([...twin.frames], [0]);
    assert.equal(recording.end?.kind, 'returned');
    assert.ok(twin.same < twin.of);
  });

  it('has the gas of the executed code', async () => {
    const { recording } = await assertSame(run('slots(uint128,uint128)', 3, 4));
    const gas = Array.from({ length: recording.steps }, (_, step) => recording.at(step).gas);
    assert.ok(gas.every((one, step) => step === 0 || one <= gas[step - 1]!));
  });
});
