import assert from 'node:assert/strict';
import type { ChangedSimulation } from '../../extension/model/debugging';
import { THIEF, useDebugger, useWorkspaceContract, VAULT } from './debugger-suite';

const GATE = `pragma solidity ^0.8.0;
contract Owner {}
contract Gate {
    enum Mode { Off, Slow, Fast }
    type Tag is bytes4;
    type Fee is int16;
    Mode mode;
    Owner owner;
    Tag tag;
    Fee fee;
    function run() external {
        mode = Mode.Slow;
        owner = Owner(msg.sender);
        tag = Tag.wrap(0x01020304);
        fee = Fee.wrap(-2);
    }
}
`;
const ACCOUNT = '11'.repeat(20);

describe('changes of enums, contracts and types of the user', () => {
  const suite = useDebugger();
  useWorkspaceContract(suite, 'Gate', GATE);

  // From the right end of the slot: mode, owner, tag, fee.
  for (const [expression, value, word] of [
    ['mode', 'Mode.Fast', '02'],
    ['mode', 'Gate.Mode.Off', '00'],
    ['mode', '1', '01'],
    ['owner', `0x${ACCOUNT}`, `${ACCOUNT}00`],
    ['owner', 'Owner(tx.origin)', `${THIEF.slice(2)}00`],
    ['tag', 'Tag.wrap(0x0a0b0c0d)', `0a0b0c0d${'00'.repeat(21)}`],
    ['fee', 'Fee.wrap(-3)', `fffd${'00'.repeat(25)}`],
  ] as const) {
    it(`take values of their type: ${expression} = ${value}`, async () => {
      const { debug } = suite;
      const event = debug.waitForEvent('forklens/simulate');
      await debug.send('setExpression', { expression, value });
      const { simulate, changes } = (await event).body as ChangedSimulation;
      const overrides = simulate['stateOverrides'] as Record<string, { stateDiff: object }>;
      const slot = `0x${'0'.repeat(64)}`;
      assert.deepEqual(overrides[VAULT]!.stateDiff, { [slot]: `0x${word.padStart(64, '0')}` });
      assert.deepEqual(changes, [`${expression} = ${value}`]);
    });
  }

  it('refuse other values with what is accepted', async () => {
    for (const [expression, value, message] of [
      [
        'mode',
        '3',
        /^Error: Mode is "3"; accepted: a value of Gate\.Mode, or an expression such as/,
      ],
      ['mode', 'Mode.Faster', /Mode is "Mode\.Faster"; accepted: a value of Gate\.Mode/],
      [
        'owner',
        '0x12zz',
        /Owner is "0x12zz"; accepted: a value of Owner, or .* such as Owner\(…\)/,
      ],
      ['fee', '"text"', /Fee is .*; accepted: a value of Gate\.Fee/],
    ] as const) {
      await assert.rejects(suite.debug.send('setExpression', { expression, value }), message);
    }
  });
});

const PACKED = `pragma solidity ^0.8.0;
contract Packed {
    uint256 runs;
    uint64 first;
    uint128 second;
    int64 third;
    function run() external { runs++; }
}
`;
const [FIRST, SECOND, THIRD] = ['1111111111111111', '22'.repeat(16), '3333333333333333'];

describe('changes of variables in a slot that the transaction does not touch', () => {
  const suite = useDebugger();
  const slot = `0x${'1'.padStart(64, '0')}`;
  useWorkspaceContract(suite, 'Packed', PACKED, undefined, {
    [slot]: `0x${THIRD}${SECOND}${FIRST}`,
  });

  for (const [expression, value, word] of [
    ['first', '5', `${THIRD}${SECOND}${'5'.padStart(16, '0')}`],
    ['second', 'second + 1', `${THIRD}${'22'.repeat(15)}23${FIRST}`],
    ['third', '-1', `${'f'.repeat(16)}${SECOND}${FIRST}`],
  ] as const) {
    it(`keep the rest of it: ${expression} = ${value}`, async () => {
      const { debug } = suite;
      const event = debug.waitForEvent('forklens/simulate');
      await debug.send('setExpression', { expression, value });
      const { simulate } = (await event).body as ChangedSimulation;
      const overrides = simulate['stateOverrides'] as Record<string, { stateDiff: object }>;
      assert.deepEqual(overrides[VAULT]!.stateDiff, { [slot]: `0x${word}` });
    });
  }
});
