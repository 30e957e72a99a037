import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { ChangedSimulation } from '../../extension/model/debugging';
import type { DebugSession } from '../support/debug-session';
import { sandboxHash } from '../support/sandbox-hashes';
import { EXPLOIT, THIEF, useDebugger } from './debugger-suite';

describe('changes of variables in the debugger', () => {
  const suite = useDebugger();
  let debug: DebugSession;

  beforeEach(async () => {
    debug = suite.debug;
    await debug.begin({ ...EXPLOIT, stopAt: 3 });
  });

  const topFrame = async (): Promise<number> =>
    (await debug.stackTraceRequest({ threadId: 1 })).body.stackFrames[0]!.id;
  const balances = async (): Promise<number> => {
    const { scopes } = (await debug.scopesRequest({ frameId: await topFrame() })).body;
    const { variablesReference } = scopes.find(({ name }) => name === 'State')!;
    const { variables } = (await debug.variablesRequest({ variablesReference })).body;
    return variables.find(({ name }) => name === 'balanceOf')!.variablesReference;
  };
  /** The simulation that a change asks for. */
  const changed = async (command: string, args: object): Promise<ChangedSimulation> => {
    const event = debug.waitForEvent('forklens/simulate');
    await debug.send(command, args);
    return (await event).body as ChangedSimulation;
  };

  it('continue as a simulation from the start, which says so', async () => {
    const variablesReference = await balances();
    const { variables } = (await debug.variablesRequest({ variablesReference })).body;
    const { name } = variables.find((one) => one.name.toLowerCase().includes(THIEF))!;
    const body = await changed('setVariable', { variablesReference, name, value: '3 ether' });
    assert.deepEqual(body.changes, [`balanceOf${name} = 3 ether`]);
    debug = await suite.reopen();
    const texts: string[] = [];
    debug.on('output', ({ body: { output } }: DebugProtocol.OutputEvent) => texts.push(output));
    await debug.begin({ chain: 'sandbox', ...body });
    assert.equal(
      texts[0],
      `This is a simulation from the start of the transaction. Changed before it: balanceOf${name} = 3 ether.\n`,
    );
    assert.deepEqual(await debug.stack(), ['VaultThief.attack:39']);
    await debug.move('next');
    await debug.move('stepIn');
    const { body: value } = await debug.evaluateRequest({
      expression: 'balanceOf[msg.sender]',
      frameId: await topFrame(),
      context: 'watch',
    });
    assert.equal(value.result, `${5n * 10n ** 18n} (was ${3n * 10n ** 18n})`);
  });

  it('add up', async () => {
    const first = await changed('setExpression', {
      expression: 'balanceOf[msg.sender]',
      value: '1',
      frameId: await topFrame(),
    });
    debug = await suite.reopen();
    await debug.begin({ chain: 'sandbox', ...first, stopAt: 3 });
    const second = await changed('setExpression', {
      expression: 'balanceOf[address(7)]',
      value: '2',
      frameId: await topFrame(),
    });
    assert.deepEqual(second.changes, ['balanceOf[msg.sender] = 1', 'balanceOf[address(7)] = 2']);
    const [override] = Object.values(second.simulate['stateOverrides'] as Record<string, object>);
    const words = Object.values((override as { stateDiff: Record<string, string> }).stateDiff);
    assert.deepEqual(words.map(BigInt).sort(), [1n, 2n]);
  });

  it('take expressions of Solidity', async () => {
    const { simulate } = await changed('setExpression', {
      expression: 'balanceOf[msg.sender]',
      value: 'balanceOf[msg.sender] / 2 + 1 ether + 1',
      frameId: await topFrame(),
    });
    const [override] = Object.values(simulate['stateOverrides'] as Record<string, object>);
    const words = Object.values((override as { stateDiff: Record<string, string> }).stateDiff);
    assert.deepEqual(words.map(BigInt), [2n * 10n ** 18n + 1n]);
  });

  it('take texts, in a slot or in several ones', async () => {
    const long = 'a name that is longer than thirty-one bytes';
    for (const [value, shown] of [
      ['"Gold \\"1\\""', '"Gold \\"1\\""'],
      [long, `"${long}"`],
    ] as const) {
      debug = await suite.reopen();
      await debug.begin({ chain: 'sandbox', hash: sandboxHash('price-update') });
      const body = await changed('setExpression', {
        expression: 'description',
        value,
        frameId: await topFrame(),
      });
      debug = await suite.reopen();
      await debug.begin({ chain: 'sandbox', ...body });
      const { result } = (
        await debug.evaluateRequest({
          expression: 'description',
          frameId: await topFrame(),
          context: 'watch',
        })
      ).body;
      assert.equal(result.startsWith(shown), true, result);
    }
  });

  it('are refused where nothing can be changed before the transaction', async () => {
    const frameId = await topFrame();
    const refused = (expression: string, value: string) =>
      debug.send('setExpression', { expression, value, frameId });
    await assert.rejects(refused('msg.sender', `0x${'12'.repeat(20)}`), /is not in storage/);
    await assert.rejects(refused('balanceOf[msg.sender]', 'much'), /Enter a whole number/);
    debug = await suite.reopen();
    await debug.begin({ chain: 'sandbox', hash: sandboxHash('price-update') });
    const text = { expression: 'description', value: 'hex"0', frameId: await topFrame() };
    await assert.rejects(
      debug.send('setExpression', text),
      /Description is .*; accepted: a literal/,
    );
    const missing = { variablesReference: 1, name: 'nothing', value: '1' };
    await assert.rejects(debug.send('setVariable', missing), /cannot be changed/);
  });
});
