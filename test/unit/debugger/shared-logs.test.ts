import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import { stepAnswer } from '../../../server/debugger/answers/step';
import { debugCall } from './debug-call';
import { compile, type Settings } from './solidity';

/** With each value, the events of the lines that have its number as a comment are emitted, in order. */
const TEXT = `
contract Emitting {
    event Ping(uint256 value);
    event Pong();
    event Named(string name, uint256 value);
    uint256 total;
    mapping(uint256 => uint256) sums;
    function run(uint256 how) external returns (uint256) {
        total = how;
        if (how == 1) {
            emit Ping(how); // 1
            return 1;
        }
        if (how == 2) {
            total = 5;
            emit Ping(how); // 2
            return 2;
        }
        if (how == 3) {
            sums[3] = 4;
            emit Pong(); // 3
            return 2;
        }
        if (how == 4) {
            sums[4] = 5;
            emit Pong(); // 4
            return 2;
        }
        if (how == 5) {
            emit Named("five", how); // 5
            total = 7;
            emit Named("again", how); // 5
            return 2;
        }
        if (how == 10) {
            total = 3;
            touch();
            emit Pong(); // 10
            return 2;
        }
        if (how == 11) {
            sums[11] = 3;
            touch();
            emit Pong(); // 11
            return 2;
        }
        for (uint256 i = 6; i < how; i++) {
            emit Ping(how); // 7
        }
        emit Ping(how); // 6 7
        return how;
    }
    function other(uint256 how) external returns (uint256) {
        total = how;
        if (how == 8) {
            sums[8] = 4;
            emit Pong(); // 8
            return 2;
        }
        sums[9] = 2;
        emit Ping(how); // 9
        return inner(how);
    }
    function touch() internal {
        sums[total] += 1;
        if (total > 2) sums[5] += sums[4];
    }
    function third(uint256 how) external returns (uint256) {
        total = how;
        touch();
        emit Pong(); // 12
        return 2;
    }
    function inner(uint256 how) internal returns (uint256) {
        sums[how] = 9;
        emit Ping(how); // 9
        return how;
    }
}
`;
const lines = TEXT.split('\n');
const linesOf = (how: number): number[] =>
  lines.flatMap((line, index) =>
    (line.split('// ')[1] ?? '').split(' ').includes(String(how)) ? index + 1 : [],
  );
const ABI = ['function run(uint256)', 'function other(uint256)', 'function third(uint256)'];
const NEVER = new AbortController().signal;

describe('the line of an event', () => {
  for (const [doubts, settings] of [
    [0, {}],
    [4, { optimizer: { enabled: true, runs: 1 } }],
    [4, { optimizer: { enabled: true, runs: 200 } }],
    [0, { viaIR: true }],
    [2, { viaIR: true, optimizer: { enabled: true, runs: 1 } }],
    [2, { viaIR: true, optimizer: { enabled: true, runs: 200 } }],
  ] satisfies [number, Settings][]) {
    it(`is that of its statement, or not certain: ${JSON.stringify(settings)}`, async () => {
      const program = compile('Emitting', TEXT, settings);
      let uncertain = 0;
      for (let how = 1; how <= 12; how++) {
        const name = how === 12 ? 'third' : how === 8 || how === 9 ? 'other' : 'run';
        const data = new Interface(ABI).encodeFunctionData(name, [how]);
        const call = { input: Buffer.from(data.slice(2), 'hex') };
        const debugged = await debugCall(program, call, ABI);
        const found = await Promise.all(
          debugged.recording.logs.map(({ step }) => stepAnswer(debugged, step, NEVER)),
        );
        const expected = linesOf(how);
        assert.equal(found.length, expected.length);
        for (const [index, { place, uncertain: reason }] of found.entries()) {
          if (reason === undefined) assert.equal(place?.startLine, expected[index], `${how}`);
          else uncertain++;
        }
      }
      assert.equal(uncertain, doubts);
    });
  }
});
