import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { AbiCoder, keccak256 } from 'ethers';
import type { PlacedBreakpoint } from '../../server/api/case-content';
import type { DebugSession } from '../support/debug-session';
import { EXPLOIT, THIEF, useDebugger, VAULT } from './debugger-suite';

// The mapping balanceOf is in slot 0.
const SLOT = keccak256(AbiCoder.defaultAbiCoder().encode(['address', 'uint256'], [THIEF, 0]));

interface Answer extends DebugProtocol.Response {
  body: { breakpoints: PlacedBreakpoint[] };
}

describe('breakpoints of a case file', function () {
  this.timeout(60_000);
  const suite = useDebugger();

  const placed = async (debug: DebugSession): Promise<PlacedBreakpoint[]> => {
    const answer = await debug.ask<Answer>('forklens/breakpoints');
    return answer.breakpoints;
  };
  const withKept = (...breakpoints: object[]): Promise<DebugSession> =>
    suite.reopen({ kept: { build: 'executed', breakpoints } });
  const setFilters = async (
    debug: DebugSession,
    ...filters: string[]
  ): Promise<DebugProtocol.Breakpoint[]> => {
    const { body } = await debug.setExceptionBreakpointsRequest({ filters });
    return body!.breakpoints!;
  };
  const stops = async (debug: DebugSession): Promise<string[]> => {
    const found: string[] = [];
    for (;;) {
      const { reason, description = '' } = await debug.move('continue');
      if (reason === 'end') return found;
      found.push(`${reason}: ${description}`);
    }
  };

  it('on data and instructions are those of the session that is kept', async () => {
    const { debug } = suite;
    await debug.begin(EXPLOIT);
    const reference = (await debug.stackTraceRequest({ threadId: 1 })).body.stackFrames[0]!
      .instructionPointerReference!;
    const other = `0x${'ab'.repeat(20)}`;
    await debug.setDataBreakpointsRequest({
      breakpoints: [
        { dataId: `${VAULT}:${SLOT}`, accessType: 'readWrite', hitCondition: '> 2' },
        { dataId: `${VAULT}:${SLOT}:0:1`, hitCondition: 'no count' },
        { dataId: `${other}:${SLOT}` },
      ],
    });
    await debug.send('setInstructionBreakpoints', {
      breakpoints: [{ instructionReference: reference, condition: 'gasleft() > 0' }],
    });
    const [slot, instruction, ...more] = await placed(debug);
    assert.deepEqual(more, []);
    assert.deepEqual(slot, {
      address: VAULT,
      slot: SLOT,
      access: 'readWrite',
      hitCondition: '> 2',
    });
    assert.ok(instruction && 'pc' in instruction);
    const { pc, ...rest } = instruction;
    assert.equal(BigInt(reference) % 2n ** 32n, BigInt(pc));
    assert.deepEqual(rest, { contract: 0, name: 'VaultThief', condition: 'gasleft() > 0' });
  });

  it('are filters of the next session, which stop there and can be switched off', async () => {
    await suite.debug.begin(EXPLOIT);
    const reference = (await suite.debug.stackTraceRequest({ threadId: 1 })).body.stackFrames[0]!
      .instructionPointerReference!;
    const pc = Number(BigInt(reference) % 2n ** 32n) + 1;
    const data = { address: VAULT, slot: SLOT, access: 'write', name: 'loot', type: 'uint256' };
    const instruction = {
      contract: 0,
      pc,
      name: 'VaultThief',
      hitCondition: '1',
      isDisabled: true,
    };
    const debug = await withKept(data, instruction);
    const initialized = debug.initializeRequest();
    const { exceptionBreakpointFilters: filters = [] } = (await initialized).body!;
    assert.deepEqual(
      filters.slice(-2).map(({ filter, label, default: isOn }) => [filter, label, isOn]),
      [
        ['kept-0', 'Write of loot', true],
        ['kept-1', `Instruction 0x${pc.toString(16)} of VaultThief`, false],
      ],
    );
    await debug.begin(EXPLOIT);
    const [set] = await setFilters(debug, 'kept-0');
    assert.equal(set!.verified, true);
    const writes = await stops(debug);
    assert.equal(writes[0], 'data breakpoint: Write of loot: 0 → 2000000000000000000');
    assert.deepEqual(await placed(debug), [data, instruction]);
    await debug.move('restart');
    await setFilters(debug);
    assert.deepEqual(await stops(debug), []);
    assert.deepEqual(await placed(debug), [{ ...data, isDisabled: true }, instruction]);
  });

  it('are refused where they have no place', async () => {
    const debug = await withKept(
      { contract: 0, pc: 1, name: 'Another' },
      { contract: 99, pc: 1 },
      { address: VAULT, slot: SLOT, access: 'write', condition: 'nobody == 1' },
    );
    await debug.begin(EXPLOIT);
    const set = await setFilters(debug, 'kept-0', 'kept-1', 'kept-2', 'kept-3', 'kept-x');
    assert.deepEqual(
      set.map(({ verified }) => verified),
      [false, false, false, false, false],
    );
    assert.match(set[0]!.message!, /no instruction at this address/);
    assert.match(set[2]!.message!, /nobody/);
    assert.match(set[3]!.message!, /There is no filter kept-3/);
  });

  for (const [kept, message] of [
    [7, /^Error: Kept is 7; accepted: an object\.$/],
    [
      { build: 'other', breakpoints: [] },
      /Kept\.build is "other"; accepted: one of executed, unoptimized/,
    ],
    [
      { build: 'executed', breakpoints: [{ pc: -1, contract: 0 }] },
      /Kept\.breakpoints\[0\]\.pc is -1/,
    ],
    [
      { build: 'executed', breakpoints: [{ slot: '0x0' }] },
      /Kept\.breakpoints\[0\]\.address is missing/,
    ],
  ] as const) {
    it(`are refused as a configuration: ${JSON.stringify(kept)}`, async () => {
      const debug = await suite.reopen({ kept });
      await assert.rejects(debug.initializeRequest(), message);
    });
  }
});
