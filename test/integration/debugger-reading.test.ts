import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { ShownWriters } from '../../extension/debugger/adapter/writers';
import type { DebugSession } from '../support/debug-session';
import { useDebugger, useWorkspaceContract } from './debugger-suite';

const SUM = `pragma solidity ^0.8.24;
contract Sum {
    uint64 left; uint64 right;
    function run() external returns (uint256 total) {
        left = 3;
        right = 4;
        left = 5;
        total = add(first(), second());
        total += pair();
        right = uint64(total);
    }
    function first() internal view returns (uint256) {
        return left;
    }
    function second() internal view returns (uint256 value) {
        value = right;
    }
    function add(uint256 a, uint256 b) internal pure returns (uint256) {
        return a + b;
    }
    function pair() internal pure returns (uint256) {
        (uint256 low, bool isLow) = both();
        return isLow ? low : 0;
    }
    function both() internal pure returns (uint256 low, bool isLow) {
        low = 2;
        isLow = true;
    }
}
`;
const lineOf = (text: string): number =>
  SUM.split('\n').findIndex((line) => line.includes(text)) + 1;

describe('reading and moving in the debugger', () => {
  const suite = useDebugger();
  const settings = { optimizer: { enabled: false }, evmVersion: 'cancun' };
  useWorkspaceContract(suite, 'Sum', SUM, settings);
  let debug: DebugSession;
  beforeEach(() => {
    debug = suite.debug;
  });

  const goToLine = async (text: string): Promise<void> => {
    await suite.setLines({ line: lineOf(text) });
    await debug.move('continue');
    assert.equal(await suite.line(), lineOf(text));
  };
  const topFrame = async (): Promise<DebugProtocol.StackFrame> =>
    (await debug.stackTraceRequest({ threadId: 1, levels: 1 })).body.stackFrames[0]!;
  const locals = async (): Promise<string[]> => {
    const { scopes } = (await debug.scopesRequest({ frameId: (await topFrame()).id })).body;
    const { variablesReference } = scopes[0]!;
    const { variables } = (await debug.variablesRequest({ variablesReference })).body;
    return variables.map(({ name, value }) => `${name} = ${value}`);
  };
  const targets = async (): Promise<DebugProtocol.StepInTarget[]> => {
    const frameId = (await topFrame()).id;
    const { targets: found } = await debug.ask<DebugProtocol.StepInTargetsResponse>(
      'stepInTargets',
      { frameId },
    );
    return found;
  };
  const writers = async (args: object): Promise<ShownWriters> => {
    const answer = await debug.send('forklens/writers', args);
    return answer.body as ShownWriters;
  };

  it('offers the calls of a line to step into, and goes into the chosen one', async () => {
    await goToLine('total = add(');
    const found = await targets();
    assert.deepEqual(
      found.map(({ label }) => label),
      ['first()', 'second()', 'add(5, 4)'],
    );
    await debug.move('stepIn', { targetId: found[2]!.id });
    assert.equal(await suite.line(), lineOf('function add('));
    assert.deepEqual(await targets(), []);
  });

  it('shows what a function returned after it, and at the end', async () => {
    await goToLine('return left');
    assert.equal(
      (await locals()).some((one) => one.includes('returned')),
      false,
    );
    await debug.move('stepOut');
    assert.equal((await locals())[0], 'first returned = 5');
    await debug.move('next');
    assert.equal(
      (await locals()).some((one) => one.includes('returned')),
      false,
    );
    await goToLine('isLow = true');
    await debug.move('stepOut');
    assert.deepEqual((await locals()).slice(0, 2), [
      'both returned: low = 2',
      'both returned: isLow = true',
    ]);
    const { reason } = await debug.move('continue');
    assert.equal(reason, 'end');
    assert.equal((await locals())[0], 'run returned = 11');
  });

  it('shows whole numbers in hex where the client asks for it, and with separators in hovers', async () => {
    await goToLine('return a + b');
    const { scopes } = (await debug.scopesRequest({ frameId: (await topFrame()).id })).body;
    const { variablesReference } = scopes[0]!;
    const asHex = { variablesReference, format: { hex: true } };
    const { variables } = (await debug.variablesRequest(asHex)).body;
    assert.deepEqual(variables.map(({ name, value }) => `${name} = ${value}`).slice(0, 2), [
      'a = 0x5',
      'b = 0x4',
    ]);
    const { body } = await debug.evaluateRequest({ expression: 'a * 4', format: { hex: true } });
    assert.equal(body.result, '0x14');
    const hovered = { expression: 'a * 1 gwei', context: 'hover' };
    assert.equal((await debug.evaluateRequest(hovered)).body.result, '5,000,000,000');
    const watched = { expression: 'a * 1 gwei', context: 'watch' };
    assert.equal((await debug.evaluateRequest(watched)).body.result, '5000000000');
  });

  it('lists what writes and reads a variable, and goes there', async () => {
    const { name, writers: found } = await writers({ name: 'left' });
    assert.equal(name, 'left');
    assert.deepEqual(
      found.map(({ label, isRead }) => [isRead, label.replace(/^step [\d,]+ · /, '')]),
      [
        [false, `Sum.run, line ${lineOf('left = 3')} · 0 → 3`],
        [false, `Sum.run, line ${lineOf('left = 5')} · 3 → 5`],
        [true, `Sum.first, line ${lineOf('return left')} · its slot is read`],
        [true, `Sum.second, line ${lineOf('value = right')} · its slot is read`],
      ],
    );
    await debug.move('forklens/goTo', { step: found[1]!.step, build: 'executed' });
    assert.equal(await suite.line(), lineOf('left = 5'));
    const { unavailable } = await writers({ name: 'msg.sender' });
    assert.equal(
      unavailable,
      'msg.sender is neither in the storage of a contract nor a local variable: what writes it is not recorded.',
    );
  });

  it('lists what writes and reads a local variable, of a caller too', async () => {
    await goToLine('return a + b');
    const { body } = await debug.stackTraceRequest({ threadId: 1 });
    const [add, run] = body.stackFrames;
    const labels = async (args: object): Promise<string[]> =>
      (await writers(args)).writers.map(({ label }) => label.replace(/^step [\d,]+ · /, ''));
    assert.deepEqual(await labels({ name: 'a', frameId: add!.id }), [
      `Sum.add, line ${lineOf('function add(')} · → 5`,
      `Sum.add, line ${lineOf('return a + b')} · read`,
    ]);
    const inRun = { name: 'total', frameId: run!.id };
    assert.deepEqual(await labels(inRun), [
      `Sum.run, line ${lineOf('function run(')} · → 0`,
      `Sum.run, line ${lineOf('total = add(')} · 0 → 9`,
      `Sum.run, line ${lineOf('total += pair()')} · read`,
      `Sum.run, line ${lineOf('total += pair()')} · 9 → 11`,
      `Sum.run, line ${lineOf('right = uint64(')} · read`,
    ]);
    const { name, writers: found } = await writers(inRun);
    assert.equal(name, 'total');
    await debug.move('forklens/goTo', { step: found[3]!.step, build: 'executed' });
    assert.equal(await suite.line(), lineOf('total += pair()'));
  });

  it('refuses a step of another build, and a step that is not there', async () => {
    const refusal = (args: object): Promise<string> =>
      debug.send('forklens/goTo', args).then(
        () => 'gone',
        (error: unknown) => (error as Error).message,
      );
    assert.match(
      await refusal({ step: 1, build: 'unoptimized' }),
      /^Build is "unoptimized"; accepted: executed, which this session debugs: switch the build first\.$/,
    );
    assert.match(
      await refusal({ step: 1_000_000 }),
      /^Step is 1000000; accepted: a whole number below/,
    );
  });
});
