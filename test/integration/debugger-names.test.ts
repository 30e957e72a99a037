import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { THIEF, useDebugger, useWorkspaceContract, VAULT } from './debugger-suite';

const KNOWN = '0x00000000000000000000000000000000000000aa';
const LONG = '0x00000000000000000000000000000000000000bb';
const LONG_NAME = 'The account that pays for everything in the end';
const OTHER = '0x00000000000000000000000000000000000000cc';
const PURSE = `pragma solidity ^0.8.24;
contract Purse {
    address owner;
    function run() external {
        owner = address(0xaa);
        pay(address(0xbb), [address(0xaa), address(0xcc)]);
    }
    function pay(address to, address[2] memory both) internal {
        owner = to;
        owner = both[1];
    }
}
`;
const PAY_LINE = 9;
const ZERO = `0x${'0'.repeat(40)}`;

describe('names of addresses in the debugger', () => {
  const suite = useDebugger({});
  const names = [
    { address: VAULT, name: 'Till' },
    { address: KNOWN, name: 'Alice' },
    { address: LONG, name: LONG_NAME },
  ];
  before(async () => {
    for (const body of names) await suite.service.request('PUT', '/v1/labels', { body });
  });
  const settings = { optimizer: { enabled: false }, evmVersion: 'cancun' };
  useWorkspaceContract(suite, 'Purse', PURSE, settings);

  const goIntoPay = async (): Promise<DebugProtocol.StackFrame[]> => {
    await suite.setLines({ line: PAY_LINE });
    await suite.debug.move('continue');
    return (await suite.debug.stackTraceRequest({ threadId: 1 })).body.stackFrames;
  };
  const evaluated = async (expression: string, context: string): Promise<string> => {
    const { stackFrames } = (await suite.debug.stackTraceRequest({ threadId: 1 })).body;
    const args = { expression, frameId: stackFrames[0]!.id, context };
    return (await suite.debug.evaluateRequest(args)).body.result;
  };

  it('names contracts and arguments in the call stack', async () => {
    const frames = await goIntoPay();
    assert.deepEqual(
      frames.map(({ name }) => name),
      ['Till.pay(to: The account… in the end, both: [Alice, 0x00000000000000…)', 'Till.run()'],
    );
  });

  it('shows names with the ends of addresses, and whole addresses where they are copied', async () => {
    await goIntoPay();
    assert.equal(await evaluated('owner', 'watch'), `Alice (0x0000…00aa) (was ${ZERO})`);
    assert.equal(await evaluated('to', 'watch'), 'The account tha…hing in the end (0x0000…00bb)');
    assert.equal(await evaluated('both', 'watch'), `[Alice, ${OTHER}]`);
    assert.equal(await evaluated('both[1]', 'watch'), OTHER);
    assert.equal(await evaluated('msg.sender', 'clipboard'), THIEF);
    assert.equal(await evaluated('to', 'repl'), `The account tha…hing in the end (${LONG})`);
    assert.equal(await evaluated('to', 'clipboard'), LONG);
    assert.equal(await evaluated('uint160(to)', 'watch'), '187');
  });
});
