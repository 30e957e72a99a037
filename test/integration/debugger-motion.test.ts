import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugSession } from '../support/debug-session';
import { sandboxHash } from '../support/sandbox-hashes';
import { EXPLOIT, useDebugger } from './debugger-suite';

describe('motion of the debugger', () => {
  const suite = useDebugger();
  let debug: DebugSession;

  beforeEach(() => {
    debug = suite.debug;
  });

  it('goes back through the lines that it went forwards through', async () => {
    await debug.begin(EXPLOIT);
    const forwards = [(await debug.stack())[0]];
    for (let n = 0; n < 12; n++) {
      await debug.move('stepIn');
      forwards.push((await debug.stack()).join(' < '));
    }
    assert.equal(forwards[1], 'EtherVault.deposit:14 < VaultThief.attack:39');
    const steps: string[] = [forwards.at(-1)!];
    for (let n = 0; n < 12; n++) {
      const { reason } = await debug.move('stepBack');
      assert.ok(reason === 'step' || reason === 'entry', reason);
      steps.push((await debug.stack()).join(' < '));
    }
    assert.equal(steps.at(-1), 'VaultThief.attack:39');
  });

  it('steps over calls and out of them', async () => {
    await debug.begin(EXPLOIT);
    await debug.move('next');
    assert.equal(await suite.line(), 40);
    await debug.move('stepIn');
    assert.deepEqual(await debug.stack(), ['EtherVault.withdraw:19', 'VaultThief.attack:40']);
    await debug.move('next');
    await debug.move('next');
    assert.equal(await suite.line(), 21);
    await debug.move('next');
    assert.deepEqual(await debug.stack(), ['EtherVault.withdraw:22', 'VaultThief.attack:40']);
    await debug.move('stepOut');
    assert.match((await debug.stack())[0]!, /^VaultThief\.attack:4[01]$/);
  });

  it('steps by statement where a line has two, and by line on request', async () => {
    await debug.begin(EXPLOIT, () =>
      debug.setFunctionBreakpointsRequest({ breakpoints: [{ name: 'VaultThief.receive' }] }),
    );
    const place = async (): Promise<string> => {
      const { body } = await debug.stackTraceRequest({ threadId: 1, levels: 1 });
      const { line, column } = body.stackFrames[0]!;
      return `${line}:${column}`;
    };
    const seen = async (granularity?: 'statement' | 'line'): Promise<string[]> => {
      await debug.move('continue');
      const places = [await place()];
      for (let n = 0; n < 2; n++) {
        await debug.move('stepIn', granularity && { granularity });
        places.push(await place());
      }
      return places;
    };
    const byStatement = ['45:39', '45:50', '19:9'];
    assert.deepEqual(await seen(), byStatement);
    assert.deepEqual(await seen('statement'), byStatement);
    assert.deepEqual(await seen('line'), ['45:39', '19:9', '20:23']);
  });

  it('steps by instruction, and back', async () => {
    await debug.begin(EXPLOIT);
    const at = async (): Promise<string> => {
      const { body } = await debug.stackTraceRequest({ threadId: 1, levels: 1 });
      return body.stackFrames[0]!.instructionPointerReference!;
    };
    const first = await at();
    await debug.move('stepIn', { granularity: 'instruction' });
    const second = await at();
    assert.notEqual(second, first);
    await debug.move('stepBack', { granularity: 'instruction' });
    assert.equal(await at(), first);
  });

  it('names the calls inside contracts in which it is, and the frame of another place', async () => {
    await debug.begin({ chain: 'sandbox', hash: sandboxHash('error-string') });
    const body = async (command: string, args: object = {}): Promise<Record<string, unknown>> =>
      (await debug.customRequest(command, args)).body as Record<string, unknown>;
    const { node: top, internalCalls: none } = await body('forklens/place');
    assert.deepEqual([top, none], [0, []]);
    const { source, frameId } = await body('forklens/frameAt', { call: 1 });
    assert.equal((source as DebugProtocol.Source).name, 'TokenBase.sol');
    assert.deepEqual(await debug.stack(), ['HarborToken.transfer:12']);
    const stopped = debug.waitForEvent('stopped');
    await debug.customRequest('forklens/goTo', { call: 1 });
    await stopped;
    assert.match((await debug.stack())[0]!, /^TokenBase\._transfer of HarborToken:36/);
    const { body: shown } = await debug.stackTraceRequest({ threadId: 1, levels: 1 });
    assert.equal(shown.stackFrames[0]!.id, frameId);
    const { node, internalCalls } = await body('forklens/place');
    assert.deepEqual([node, internalCalls], [0, [1]]);
  });

  it('stops at the end, ends behind it, and goes back to the start', async () => {
    await debug.begin(EXPLOIT);
    const end = await debug.move('continue');
    assert.equal(end.reason, 'end');
    assert.equal(end.description, 'End of the transaction');
    const start = await debug.move('reverseContinue');
    assert.equal(start.reason, 'entry');
    assert.deepEqual(await debug.stack(), ['VaultThief.attack:39']);
    await debug.move('continue');
    const ended = debug.waitForEvent('terminated');
    await debug.continueRequest({ threadId: 1 });
    await ended;
  });

  it('goes on when a view no longer needs an answer, and pauses where it is', async () => {
    await debug.begin(EXPLOIT);
    const stopped = debug.nextStop();
    await debug.continueRequest({ threadId: 1 });
    await debug.send('cancel', { requestId: 1 });
    assert.equal((await stopped).body.reason, 'end');
    assert.equal((await debug.move('pause')).reason, 'pause');
    assert.equal((await debug.stack()).length, 1);
  });

  it('restarts the frame of a delegated call, and that of its proxy', async () => {
    await debug.begin({ chain: 'sandbox', hash: sandboxHash('proxy-mint') });
    const first = await debug.stack();
    while (!(await debug.stack())[0]!.startsWith('UpgradeableToken.mint')) {
      assert.notEqual((await debug.move('stepIn')).reason, 'end');
    }
    const entered = await debug.stack();
    const [{ name, line }] = (await debug.stackTraceRequest({ threadId: 1 })).body.stackFrames as [
      DebugProtocol.StackFrame,
    ];
    assert.match(name, /^UpgradeableToken\.mint\(.*\) in the storage of GOLD \(proxy\)$/);
    assert.equal(line, 27);
    await debug.move('next');
    assert.notDeepEqual(await debug.stack(), entered);
    const { stackFrames } = (await debug.stackTraceRequest({ threadId: 1 })).body;
    await debug.move('restartFrame', { frameId: stackFrames[0]!.id });
    assert.deepEqual(await debug.stack(), entered);
    await debug.move('restartFrame', { frameId: stackFrames.at(-1)!.id });
    assert.deepEqual(await debug.stack(), first);
  });

  it('restarts, restarts a frame, and goes to an executed line', async () => {
    await debug.begin({ ...EXPLOIT, stopAt: 2 });
    const { body } = await debug.stackTraceRequest({ threadId: 1 });
    await debug.move('restartFrame', { frameId: body.stackFrames[0]!.id });
    assert.match((await debug.stack())[0]!, /^EtherVault\.deposit:/);
    const source = await suite.topSource();
    assert.equal((await debug.move('restart')).reason, 'entry');
    assert.deepEqual(await debug.stack(), ['VaultThief.attack:39']);
    const { body: found } = await debug.send('gotoTargets', {
      source,
      line: 21,
    });
    assert.equal(found.targets.length, 6);
    assert.match(found.targets[1]!.label, /^execution 2 of 6, step [\d,]+$/);
    await debug.move('goto', { targetId: found.targets[1]!.id });
    assert.equal(await suite.line(), 21);
    assert.equal((await debug.stack()).length, 4);
    const none = await debug.send('gotoTargets', { source, line: 1 });
    assert.deepEqual(none.body, { targets: [] });
  });

  it('stops at breakpoints that are still being set when it comes, at the last ones alone', async () => {
    await debug.begin(EXPLOIT);
    const source = await suite.topSource();
    const set = (line: number, condition: string) =>
      debug.setBreakpointsRequest({ source, breakpoints: [{ line, condition }] });
    const answers = [set(19, '2 > 1'), set(23, 'amount > 0')];
    const { reason } = await debug.move('continue');
    assert.deepEqual([reason, await suite.line()], ['breakpoint', 23]);
    const verified = (await Promise.all(answers)).map(({ body }) => body.breakpoints[0]!.verified);
    assert.deepEqual(verified, [true, true]);
  });
});
