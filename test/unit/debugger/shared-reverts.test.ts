import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import { stepAnswer } from '../../../server/debugger/answers/step';
import { debugCall } from './debug-call';
import { debug } from './debugged';
import { compile, VERSIONS, type Settings } from './solidity';

/** Each value fails at the line that has its number as a comment. */
const TEXT = `
contract Failing {
    uint256 total;
    function run(uint256 how) external returns (uint256) {
        require(how != 1, "refused"); // 1
        total = how;
        require(how != 2, "refused"); // 2
        if (how == 3) revert("refused"); // 3
        if (how == 4) {
            total += 5;
            revert("refused"); // 4
        }
        require(how != 5); // 5
        assert(how != 6); // 6
        if (how == 7) inner(7);
        while (how > 7) {
            if (how == 8) break;
            total += how;
            if (how == 9) break;
            revert("never in the loop"); // 10
        }
        if (how > 7) revert("after the loop"); // 8 9
        total -= 1;
        return how;
    }
    function inner(uint256 how) internal {
        require(how != 7, "refused"); // 7
        total = how;
    }
    function other(uint256 how) external returns (uint256) {
        require(how != 11, "refused"); // 11
        total = how;
        require(how != 12, "refused"); // 12
        return how;
    }
}
`;

const NUMBERS = Array.from({ length: 12 }, (_, index) => index + 1);
const lines = TEXT.split('\n');
const lineOf = (how: number): number =>
  lines.findIndex((line) => (line.split('// ')[1] ?? '').split(' ').includes(String(how))) + 1;

const SETTINGS: Readonly<Record<string, Settings>> = {
  'without the optimizer': {},
  'with the optimizer for size': { optimizer: { enabled: true, runs: 1 } },
  'with the optimizer': { optimizer: { enabled: true, runs: 200 } },
};

const VIA_IR: Readonly<Record<string, Settings>> = {
  'for size': { viaIR: true, optimizer: { enabled: true, runs: 1 } },
  'for speed': { viaIR: true, optimizer: { enabled: true, runs: 200 } },
};
const ABI = ['function run(uint256)', 'function other(uint256)'];
const NEVER = new AbortController().signal;

describe('the line of a failure in code compiled via IR', () => {
  const failureOf = async (number: number, settings: Settings) => {
    const name = number > 10 ? 'other' : 'run';
    const data = new Interface(ABI).encodeFunctionData(name, [number]);
    const call = { input: Buffer.from(data.slice(2), 'hex') };
    const debugged = await debugCall(compile('Failing', TEXT, settings), call, ABI);
    const last = await stepAnswer(debugged, debugged.recording.steps - 1, NEVER);
    return { line: last.place?.startLine, uncertain: last.uncertain };
  };

  it('is that of the statement that failed, without the optimizer', async () => {
    for (const number of NUMBERS) {
      const found = await failureOf(number, { viaIR: true });
      assert.deepEqual(found, { line: lineOf(number), uncertain: undefined }, `${number}`);
    }
  });

  for (const [how, settings] of Object.entries(VIA_IR)) {
    it(`is that of the statement that failed, or is said to be uncertain, optimized ${how}`, async () => {
      for (const number of NUMBERS) {
        const { line, uncertain } = await failureOf(number, settings);
        if (uncertain === undefined) assert.equal(line, lineOf(number), `${number}`);
        else assert.match(uncertain, /^it was compiled via IR with the optimizer/);
      }
      assert.ok((await failureOf(7, settings)).uncertain);
    });
  }
});

describe('the line of a failure', () => {
  for (const version of VERSIONS) {
    for (const [how, settings] of Object.entries(SETTINGS)) {
      it(`is that of the statement that failed, of Solidity ${version} ${how}`, () => {
        for (const number of NUMBERS) {
          const { recording, stops } = debug({
            text: TEXT,
            contract: 'Failing',
            settings,
            version,
            values: [number],
            call: `function ${number > 10 ? 'other' : 'run'}(uint256)`,
          });
          assert.notEqual(recording.end?.kind, 'returned');
          const { line } = stops.lineAt(recording.steps - 1)!;
          assert.equal(line, lineOf(number), `${number}: ${lines[line - 1]}`);
        }
      });
    }
  }
});
