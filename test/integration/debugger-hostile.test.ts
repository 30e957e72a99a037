import assert from 'node:assert/strict';
import type { DebugSession } from '../support/debug-session';
import { sandboxHash } from '../support/sandbox-hashes';
import { EXPLOIT, useDebugger } from './debugger-suite';

describe('requests of a confused client of the debugger', function () {
  this.timeout(60_000);
  const suite = useDebugger();
  let debug: DebugSession;

  beforeEach(() => {
    debug = suite.debug;
  });

  const NOTHING = /Nothing is debugged yet: launch comes first\./;

  it('before the launch are refused', async () => {
    await debug.initializeRequest();
    for (const [command, args] of [
      ['threads', {}],
      ['stackTrace', { threadId: 1 }],
      ['next', { threadId: 1 }],
      ['pause', { threadId: 1 }],
      ['goto', { threadId: 1, targetId: 1 }],
      ['setBreakpoints', { source: { path: 'a.sol' }, breakpoints: [] }],
      ['forklens/place', {}],
    ] as const) {
      await assert.rejects(debug.send(command, args), NOTHING, command);
    }
  });

  it('for a second launch are refused, and leave the session as it is', async () => {
    await debug.begin(EXPLOIT);
    const again = { chain: 'sandbox', hash: sandboxHash('approve') };
    await assert.rejects(debug.send('launch', again), /has been launched already/);
    assert.deepEqual(await debug.stack(), ['VaultThief.attack:39']);
  });

  it('with ids that are none are refused, and the debugger stays where it is', async () => {
    await debug.begin(EXPLOIT);
    for (const [command, args, message] of [
      ['goto', { targetId: 1e9 }, /TargetId is 1000000000; accepted: a whole number below/],
      ['goto', { targetId: -1 }, /TargetId is -1; accepted/],
      ['goto', { targetId: 'x' }, /TargetId is "x"; accepted/],
      ['restartFrame', { frameId: 1e9 }, /FrameId is 1000000000; accepted/],
      ['evaluate', { expression: '1', frameId: 1e9 }, /accepted/],
      ['evaluate', { expression: '1', frameId: -7 }, /accepted/],
      ['evaluate', { expression: '' }, /expression ends/],
      ['source', { sourceReference: 99 }, /SourceReference is 99; accepted/],
      ['setVariable', { variablesReference: 999, name: 'a', value: '1' }, /cannot be changed/],
      ['setExpression', { expression: '(', value: '1' }, /expression ends/],
      ['forklens/goTo', { step: 1.5 }, /Step is 1.5; accepted: a whole number below/],
      ['forklens/goTo', { node: -1 }, /StopAt is -1; accepted/],
      ['forklens/goTo', { at: 'end' }, /StopAt is "end"; accepted/],
      ['forklens/goTo', { node: 1e6 }, /Node 1000000 of the call tree executes no code/],
      ['forklens/goTo', { call: 1e6 }, /The recording has no call 1000000 with code/],
    ] as const) {
      await assert.rejects(debug.send(command, args), message, JSON.stringify([command, args]));
    }
    assert.deepEqual(await debug.stack(), ['VaultThief.attack:39']);
    assert.equal((await debug.move('next')).reason, 'step');
  });

  it('with places that are none have empty answers', async () => {
    await debug.begin(EXPLOIT);
    const answer = async (command: string, args: object): Promise<unknown> =>
      (await debug.customRequest(command, args)).body as unknown;
    assert.deepEqual(await answer('variables', { variablesReference: 1e9 }), { variables: [] });
    for (const more of [
      { memoryReference: 'nowhere' },
      { memoryReference: '0xffffffffffffffff' },
      { instructionOffset: 1e15 },
      { instructionOffset: 0.5 },
      { offset: 0.5 },
      { instructionCount: -1 },
    ]) {
      const args = { memoryReference: '0x100000000', instructionCount: 5, ...more };
      assert.deepEqual(await answer('disassemble', args), { instructions: [] });
    }
    const far = { memoryReference: '0x100000000', instructionCount: 1e9 };
    const { instructions } = (await answer('disassemble', far)) as { instructions: unknown[] };
    assert.equal(instructions.length, 10_000);
    assert.deepEqual(
      await answer('readMemory', { memoryReference: 'stack:0', offset: 0, count: 5 }),
      {
        ...{ address: '0x0', unreadableBytes: 5 },
      },
    );
    const stack = (await answer('stackTrace', { threadId: 7, startFrame: 1e9, levels: -1 })) as {
      stackFrames: unknown[];
    };
    assert.deepEqual(stack.stackFrames, []);
    const { breakpoints } = (await answer('setDataBreakpoints', {
      breakpoints: [{ dataId: 'x' }, { dataId: `0x${'1'.repeat(40)}:0x2` }],
    })) as { breakpoints: { verified: boolean; message: string }[] };
    for (const { verified, message } of breakpoints) {
      assert.equal(verified, false);
      assert.equal(message, 'The variable is not in the storage of a contract.');
    }
    const source = await suite.topSource();
    const { body } = await debug.setBreakpointsRequest({
      source,
      breakpoints: [{ line: -5 }, { line: 1e9 }, { line: 21, hitCondition: 'often' }],
    });
    assert.deepEqual(
      body.breakpoints.map(({ verified, message }) => [verified, typeof message]),
      [
        [false, 'string'],
        [false, 'string'],
        [false, 'string'],
      ],
    );
  });

  it('for a call inside a contract lead to it', async () => {
    const { hash } = { hash: sandboxHash('error-string') };
    await debug.begin({ chain: 'sandbox', hash, stopAt: { call: 1 } });
    const [top] = await debug.stack();
    assert.equal(top, 'TokenBase._transfer of HarborToken:36');
    const stopped = debug.nextStop();
    await debug.send('forklens/goTo', { call: 0 });
    await stopped;
    assert.deepEqual(await debug.stack(), ['HarborToken.transfer:12']);
  });
});
