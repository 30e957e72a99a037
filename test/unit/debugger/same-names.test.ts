import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import { findBody } from '../../../server/api/recording-search';
import { linesAnswer } from '../../../server/debugger/answers/lines';
import { stepAnswer } from '../../../server/debugger/answers/step';
import type { DebuggedTransaction } from '../../../server/debugger/session/debugged-transaction';
import { findStop } from '../../../server/debugger/session/find-stop';
import { debugCall } from './debug-call';
import { compileAll, type CompiledPrograms } from './solidity';

const FILE = 'src/Token.sol';
const OTHER = `0x${'d2'.repeat(20)}`;
const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\n';
const CALLING = `${HEAD}contract Token {
    uint256 public count;
    function run(Token other) external {
        count += 1;
        other.run(Token(address(0)));
        other.run(Token(address(0)));
    }
}
`;
const CALLED = `${HEAD}contract Token {
    uint256 public total;
    uint256 public rounds;
    function run(Token) external {
        total += 5;
        rounds += 1;
    }
}
`;
const { signal } = new AbortController();

const token = (text: string): CompiledPrograms => compileAll(FILE, text)['Token']!;

describe('files of one name in different compilations', () => {
  let debugged: DebuggedTransaction;
  before(async () => {
    const calling = new Interface(['function run(address)']);
    const input = Buffer.from(calling.encodeFunctionData('run', [OTHER]).slice(2), 'hex');
    const others = { [OTHER]: token(CALLED).deployed };
    debugged = await debugCall(token(CALLING).deployed, { input }, [], undefined, others);
    assert.equal(debugged.recording.end?.kind, 'returned');
  });

  const hits = async (line: object): Promise<string[]> => {
    const found: string[] = [];
    for (let from = 0; ;) {
      const lines = [{ id: 1, ...line }];
      const request = { from, direction: 'forwards', mode: 'continue', lines };
      const stop = await findStop(debugged, findBody.parse(request), () => assert.fail(), signal);
      if (stop.reason === 'end') return found;
      from = stop.step;
      const [top] = (await stepAnswer(debugged, from, signal)).callStack;
      found.push(`${top!.contract} ${top!.place!.file}:${top!.place!.startLine}`);
    }
  };

  it('have lines of their own, with the code that they belong to', async () => {
    const { lines } = await linesAnswer(debugged, { file: FILE }, signal);
    assert.deepEqual(
      lines.map(({ file, line, contract, count }) => [file, line, contract, count]),
      [...[6, 7, 8].map((line) => [FILE, line, 0, 1]), ...[7, 8].map((line) => [FILE, line, 1, 2])],
    );
    const own = await linesAnswer(debugged, { file: FILE, contract: 1 }, signal);
    assert.deepEqual(own.lines, lines.slice(3));
  });

  it('stop at a breakpoint of the right one', async () => {
    assert.deepEqual(await hits({ file: FILE, line: 7, contract: 0 }), [`0 ${FILE}:7`]);
    assert.deepEqual(
      await hits({ file: FILE, line: 7, contract: 1 }),
      [1, 1].map((contract) => `${contract} ${FILE}:7`),
    );
    assert.deepEqual(await hits({ file: FILE, line: 5, contract: 9 }), []);
    assert.deepEqual(
      await hits({ file: FILE, line: 7 }),
      [0, 1, 1].map((contract) => `${contract} ${FILE}:7`),
    );
  });
});

describe('files of one name and text', () => {
  it('are one for all contracts that have them', async () => {
    const calling = new Interface(['function run(address)']);
    const input = Buffer.from(calling.encodeFunctionData('run', [OTHER]).slice(2), 'hex');
    const same = CALLING.replace(
      'other.run(Token(address(0)));\n        other.run',
      'if (address(other) != address(0)) other.run',
    );
    const others = { [OTHER]: token(same).deployed };
    const debugged = await debugCall(token(same).deployed, { input }, [], undefined, others);
    for (const contract of [0, 1]) {
      const { lines } = await linesAnswer(debugged, { file: FILE, contract }, signal);
      assert.deepEqual(
        lines.map(({ line, contract: first, count }) => [line, first, count]),
        [6, 7].map((line) => [line, 0, 2]),
      );
    }
  });
});
