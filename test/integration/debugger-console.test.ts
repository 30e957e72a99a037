import assert from 'node:assert/strict';
import path from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugSession } from '../support/debug-session';
import { useDebugger, useWorkspaceContract } from './debugger-suite';

const LOGS = `pragma solidity ^0.8.24;
library console {
    function send(bytes memory data) private view {
        address to = 0x000000000000000000636F6e736F6c652e6c6f67;
        assembly { pop(staticcall(gas(), to, add(data, 32), mload(data), 0, 0)) }
    }
    function log(string memory a) internal view { send(abi.encodeWithSignature("log(string)", a)); }
    function log(string memory a, uint256 b) internal view { send(abi.encodeWithSignature("log(string,uint256)", a, b)); }
}
contract Logs {
    uint256 total;
    function run() external returns (uint256) {
        console.log("begin\\u202e");
        try this.fails() {} catch {}
        for (uint256 i; i < 3; i++) {
            total += i;
        }
        console.log("total %d wei", total);
        return total;
    }
    function fails() external view {
        console.log("it fails");
        revert("no");
    }
}
`;
const lineOf = (text: string): number =>
  LOGS.split('\n').findIndex((line) => line.includes(text)) + 1;

describe('messages of console.log in the debugger', () => {
  const suite = useDebugger();
  useWorkspaceContract(suite, 'Logs', LOGS, {
    optimizer: { enabled: false },
    evmVersion: 'cancun',
  });
  let debug: DebugSession;
  let printed: DebugProtocol.OutputEvent['body'][];
  beforeEach(() => {
    debug = suite.debug;
    printed = [];
    debug.on('output', ({ body }: DebugProtocol.OutputEvent) => {
      if (body.category === 'stdout') printed.push(body);
    });
  });
  const shown = (): string[] =>
    printed.splice(0).map(({ output, source, line }) => {
      const file = path.basename(source?.path ?? '');
      return `${output.trimEnd()} at ${file}:${line ?? '?'}`;
    });

  it('are printed when the execution passes their statement, with its line', async () => {
    await suite.setLines({ line: lineOf('total += i') });
    await debug.move('continue');
    const file = path.basename((await suite.topSource()).path ?? '');
    assert.deepEqual(shown(), [
      `begin at ${file}:${lineOf('"begin')}`,
      `it fails at ${file}:${lineOf('"it fails"')}`,
    ]);
    await suite.setLines();
    await debug.move('continue');
    assert.deepEqual(shown(), [`total 3 wei at ${file}:${lineOf('"total')}`]);
  });

  it('are not printed on the way back, and again on the next way forwards', async () => {
    await debug.move('next');
    await debug.move('next');
    assert.equal(shown().length, 1);
    await debug.move('reverseContinue');
    assert.deepEqual(shown(), []);
    await debug.move('continue');
    assert.equal(shown().length, 3);
  });
});
