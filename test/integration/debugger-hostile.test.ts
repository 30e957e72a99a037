import assert from 'node:assert/strict';
import type { DebugSession } from '../support/debug-session';
import { sandboxHash } from '../support/sandbox-hashes';
import { EXPLOIT, useDebugger } from './debugger-suite';

describe('requests of a confused client of the debugger', () => {
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
      ['forklens/frameAt', { node: 1e6 }, /Node 1000000 of the call tree executes no code/],
      ['scopes', { frameId: 1e9 }, /FrameId is 1000000000; accepted: a frame of the call stack/],
      ['variables', { variablesReference: 1e9 }, /VariablesReference is 1000000000; accepted/],
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
    for (const more of [
      { memoryReference: 'nowhere' },
      { memoryReference: '0xffffffffffffffff' },
      { instructionOffset: 1e15 },
      { instructionCount: 0 },
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
        address: '0x0',
        unreadableBytes: 5,
      },
    );
    assert.deepEqual(
      await answer('readMemory', { memoryReference: 'memory:0', offset: 999_999_999, count: 5 }),
      { address: '0x3b9ac9ff', data: '', unreadableBytes: 5 },
    );
    const stack = (await answer('stackTrace', { threadId: 7, startFrame: 1e9, levels: 1 })) as {
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

  it('with wrong types are refused with the name of the field', async () => {
    await debug.begin(EXPLOIT);
    for (const [command, args, message] of WRONG) {
      await assert.rejects(debug.send(command, args), message, JSON.stringify([command, args]));
    }
    assert.deepEqual(await debug.stack(), ['VaultThief.attack:39']);
  });

  it('with any values are answered, and never by a failure of the debugger', async () => {
    await debug.begin(EXPLOIT);
    for (const [command, fields] of Object.entries(FIELDS)) {
      for (const value of ANY) {
        for (const args of [
          value,
          ...fields.map((field) => ({ ...valid(fields), [field]: value })),
        ]) {
          const sent = debug.send(command, args).then(
            () => 'accepted',
            (error: unknown) => String(error),
          );
          const text = JSON.stringify([command, args]).slice(0, 100);
          assert.doesNotMatch(await sent, /The debugger failed|undefined|\[object/, text);
        }
      }
    }
    assert.deepEqual(await debug.stack(), ['VaultThief.attack:39']);
    assert.equal((await debug.move('next')).reason, 'step');
  });
});

const WRONG = [
  ['stackTrace', { levels: -1 }, /^Error: Levels is -1; accepted: a whole number from 0 on\.$/],
  ['stackTrace', { startFrame: 'x' }, /StartFrame is "x"; accepted: a whole number/],
  ['scopes', {}, /FrameId is missing; accepted/],
  ['scopes', { frameId: {} }, /FrameId is {}; accepted/],
  ['variables', { variablesReference: 1.5 }, /VariablesReference is 1.5; accepted/],
  ['variables', { variablesReference: 1, filter: 'all' }, /Filter is "all"; accepted: one of/],
  ['evaluate', { expression: 5 }, /Expression is 5; accepted: text of up to [0-9]+ characters/],
  ['evaluate', { expression: '1'.repeat(50_000) }, /Expression is "1+…; accepted: text of up to/],
  ['completions', { text: null, column: 1 }, /Text is null; accepted/],
  ['readMemory', { memoryReference: 7, count: 1 }, /MemoryReference is 7; accepted/],
  ['readMemory', { memoryReference: 'memory:0', count: -1 }, /Count is -1; accepted/],
  [
    'readMemory',
    { memoryReference: 'memory:0', offset: 1_000_000_000, count: 1 },
    /Offset is 1000000000; accepted: a whole number up to 999999999\./,
  ],
  ['disassemble', { memoryReference: '0x1', instructionCount: 0.5 }, /InstructionCount is 0.5/],
  ['setBreakpoints', { source: 5 }, /Source is 5; accepted: an object/],
  [
    'setBreakpoints',
    { source: { path: 'a' }, breakpoints: [{ line: 1 }, { line: '2' }] },
    /Breakpoints\[1\]\.line is "2"; accepted: a whole number\./,
  ],
  [
    'setBreakpoints',
    { source: { path: 'a' }, breakpoints: new Array(20_000).fill({ line: 1 }) },
    /Breakpoints is .*; accepted: a list of up to [0-9]+/,
  ],
  ['setFunctionBreakpoints', { breakpoints: 'f' }, /Breakpoints is "f"; accepted: a list/],
  ['setFunctionBreakpoints', { breakpoints: [null] }, /Breakpoints\[0\] is null; accepted/],
  ['setDataBreakpoints', { breakpoints: [{ dataId: 4 }] }, /Breakpoints\[0\]\.dataId is 4/],
  ['setExceptionBreakpoints', { filters: [5] }, /Filters\[0\] is 5; accepted: text/],
  ['next', { granularity: 'word' }, /Granularity is "word"; accepted: one of statement, line/],
  ['forklens/values', { names: 'amount' }, /Names is "amount"; accepted: a list/],
  ['threads', [1], /Arguments is \[1\]; accepted: an object/],
] as const;

const ANY: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e15,
  1e300,
  '',
  'x',
  [],
  {},
  [null],
  { toString: 1 },
  '0x' + 'f'.repeat(500),
  '\u0000',
  '__proto__',
  'a'.repeat(20_000),
];

/** The fields of each request that does not move the debugger. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  threads: [],
  stackTrace: ['startFrame', 'levels'],
  scopes: ['frameId'],
  variables: ['variablesReference', 'start', 'count', 'filter'],
  setVariable: ['variablesReference', 'name', 'value'],
  setExpression: ['expression', 'value', 'frameId'],
  evaluate: ['expression', 'frameId'],
  completions: ['text', 'column', 'line', 'frameId'],
  exceptionInfo: ['threadId'],
  source: ['sourceReference', 'source'],
  loadedSources: [],
  disassemble: ['memoryReference', 'offset', 'instructionOffset', 'instructionCount'],
  readMemory: ['memoryReference', 'offset', 'count'],
  breakpointLocations: ['source', 'line', 'endLine'],
  gotoTargets: ['source', 'line'],
  setBreakpoints: ['source', 'breakpoints'],
  setFunctionBreakpoints: ['breakpoints'],
  setInstructionBreakpoints: ['breakpoints'],
  setExceptionBreakpoints: ['filters', 'filterOptions'],
  setDataBreakpoints: ['breakpoints'],
  dataBreakpointInfo: ['variablesReference', 'name', 'frameId'],
  'forklens/place': ['x'],
  'forklens/frameAt': ['step', 'node', 'call', 'at'],
  'forklens/values': ['names', 'frameId'],
  'forklens/lines': ['source'],
  cancel: ['requestId'],
};

/** Values of fields that are accepted. */
function valid(fields: readonly string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {
    frameId: 1,
    variablesReference: 1,
    expression: '1',
    value: '1',
    name: 'vault',
    text: 'v',
    column: 1,
    line: 20,
    count: 1,
    instructionCount: 1,
    memoryReference: '0x100000000',
    source: { path: 'EtherVault.sol', sourceReference: 1 },
    sourceReference: 1,
    breakpoints: [],
    filters: [],
    names: [],
  };
  return Object.fromEntries(
    fields.flatMap((field) => (field in values ? [[field, values[field]]] : [])),
  );
}
