import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { AbiCoder, keccak256 } from 'ethers';
import type { DebugSession } from '../support/debug-session';
import { sandboxHash } from '../support/sandbox-hashes';
import { EXPLOIT, VAULT_FILE, useDebugger } from './debugger-suite';

describe('breakpoints of the debugger', function () {
  const suite = useDebugger();
  let debug: DebugSession;

  beforeEach(() => {
    debug = suite.debug;
  });

  it('on lines stop in both directions, and move to the next executed line', async () => {
    await debug.begin(EXPLOIT);
    const set = await suite.setLines({ line: 23 }, { line: 17 }, { line: 33 }, { line: 900 });
    assert.deepEqual(
      set.map(({ verified, line }) => [verified, line]),
      [
        [true, 23],
        [true, 19],
        [false, undefined],
        [false, undefined],
      ],
    );
    assert.equal(set[2]!.message, 'This transaction does not execute this line.');
    await suite.setLines({ line: 23 });
    const stop = await debug.move('continue');
    assert.equal(stop.reason, 'breakpoint');
    assert.equal(stop.hitBreakpointIds?.length, 1);
    assert.deepEqual([await suite.line(), (await debug.stack()).length], [23, 12]);
    await debug.move('continue');
    assert.equal((await debug.stack()).length, 10);
    await debug.move('reverseContinue');
    assert.equal((await debug.stack()).length, 12);
  });

  it('on lines of files that the client opens itself are set before the first stop', async () => {
    const locate = (_: unknown, { file }: { file: string }) => Promise.resolve(`/src/${file}`);
    debug = await suite.reopen({ locate });
    const set = (path: string) =>
      debug.setBreakpointsRequest({ source: { path }, breakpoints: [{ line: 15 }] });
    await debug.begin(EXPLOIT, async () => {
      const { body } = await set('/src/EtherVault.sol');
      assert.equal(body.breakpoints[0]!.verified, true);
      const { body: other } = await set('/lib/EtherVault.sol');
      assert.equal(other.breakpoints[0]!.verified, false);
      assert.match(other.breakpoints[0]!.message!, /^This transaction executes no code of this/);
    });
    assert.deepEqual(await suite.topSource(), { name: VAULT_FILE, path: '/src/EtherVault.sol' });
    await debug.move('continue');
    assert.deepEqual(await debug.stack(), ['EtherVault.deposit:15', 'VaultThief.attack:39']);
  });

  it('on lines have hit counts, and refuse those that they do not understand', async () => {
    await debug.begin(EXPLOIT);
    for (const hitCondition of ['0', '== 0', '% 0', '>= 0', '< 2', '-1', '1.5', 'twice', '= 2']) {
      const [bad] = await suite.setLines({ line: 19, hitCondition });
      assert.deepEqual(
        [bad!.verified, bad!.message],
        [
          false,
          `${hitCondition} is not a hit count; accepted: 3 or >= 3 (the third hit and later ones), > 3, == 3 (that hit alone), % 3 (each third hit), with a whole number from 1.`,
        ],
      );
    }
    // Each of the six calls of `withdraw` is two frames deeper than the one before.
    for (const [hitCondition, hits] of [
      ['3', [3, 4, 5, 6]],
      ['>= 5', [5, 6]],
      ['> 4', [5, 6]],
      ['> 0', [1, 2, 3, 4, 5, 6]],
      ['== 2', [2]],
      ['%2', [2, 4, 6]],
    ] as const) {
      await debug.move('restart');
      await suite.setLines({ line: 19, hitCondition });
      assert.deepEqual(await hitsOf('continue'), hits, hitCondition);
      assert.deepEqual((await hitsOf('reverseContinue')).reverse(), hits, hitCondition);
    }
  });

  /** Which calls of `withdraw` stop until the end. */
  async function hitsOf(command: 'continue' | 'reverseContinue'): Promise<number[]> {
    const hits: number[] = [];
    for (;;) {
      const { reason } = await debug.move(command);
      if (reason === 'end' || reason === 'entry') return hits;
      hits.push((await debug.stack()).length / 2);
    }
  }

  it('list the lines at which they can be', async () => {
    await debug.begin(EXPLOIT);
    const answer = (await debug.send('breakpointLocations', {
      source: await suite.topSource(),
      line: 13,
      endLine: 21,
    })) as DebugProtocol.BreakpointLocationsResponse;
    assert.deepEqual(
      answer.body.breakpoints.map((one) => one.line),
      [14, 15, 19, 20, 21],
    );
  });

  it('on functions stop at calls by name', async () => {
    await debug.begin(EXPLOIT);
    const { body } = await debug.setFunctionBreakpointsRequest({
      breakpoints: [{ name: 'EtherVault.withdraw' }, { name: 'mint' }],
    });
    assert.deepEqual(
      body.breakpoints.map(({ verified, message }) => [verified, message]),
      [
        [true, undefined],
        [false, 'This transaction calls no function mint.'],
      ],
    );
    const stop = await debug.move('continue');
    assert.equal(stop.reason, 'function breakpoint');
    assert.match((await debug.stack())[0]!, /^EtherVault\.withdraw:/);
  });

  it('on instructions have conditions and hit counts', async () => {
    await debug.begin(EXPLOIT);
    await suite.setLines({ line: 19 });
    await debug.move('continue');
    const [frame] = (await debug.stackTraceRequest({ threadId: 1 })).body.stackFrames;
    const instructionReference = frame!.instructionPointerReference!;
    await suite.setLines();
    const set = async (more: object): Promise<DebugProtocol.Breakpoint> => {
      const answer = await debug.ask<DebugProtocol.SetInstructionBreakpointsResponse>(
        'setInstructionBreakpoints',
        { breakpoints: [{ instructionReference, ...more }] },
      );
      return answer.breakpoints[0]!;
    };
    for (const [more, hits] of [
      [{ hitCondition: '% 3' }, [3, 6]],
      // The vault has 12, 10, 8, 6, 4 and 2 ether.
      [{ condition: 'address(this).balance < 8 ether' }, [4, 5, 6]],
      [{ condition: 'address(this).balance < 8 ether', hitCondition: '== 2' }, [5]],
    ] as const) {
      await debug.move('restart');
      assert.equal((await set(more)).verified, true, JSON.stringify(more));
      assert.deepEqual(await hitsOf('continue'), hits, JSON.stringify(more));
    }
    for (const [more, message] of [
      [{ hitCondition: 'x' }, /^x is not a hit count; accepted: 3 or/],
      [{ condition: 'amount >' }, /^Condition "amount >": the expression ends/],
      [{ condition: 'nobody == 1' }, /nobody/],
      [{ instructionReference: '0x7' }, /^There is no instruction at this address\.$/],
    ] as const) {
      const { verified, message: given } = await set(more);
      assert.equal(verified, false);
      assert.match(given!, message);
    }
  });

  it('on instructions stop at them', async () => {
    await debug.begin(EXPLOIT);
    const reference = (await debug.stackTraceRequest({ threadId: 1 })).body.stackFrames[0]!
      .instructionPointerReference!;
    const { instructions } = await debug.ask<DebugProtocol.DisassembleResponse>('disassemble', {
      memoryReference: reference,
      instructionCount: 3,
    });
    const wanted = instructions[2]!.address;
    await debug.send('setInstructionBreakpoints', {
      breakpoints: [{ instructionReference: wanted }],
    });
    const stop = await debug.move('continue');
    assert.equal(stop.reason, 'instruction breakpoint');
    const { body } = await debug.stackTraceRequest({ threadId: 1 });
    assert.equal(body.stackFrames[0]!.instructionPointerReference, wanted);
  });

  it('on lines log messages, and do not stop', async () => {
    await debug.begin(EXPLOIT);
    await suite.setLines({ line: 20, logMessage: 'withdraws' });
    const texts: string[] = [];
    debug.on('output', ({ body }: DebugProtocol.OutputEvent) => texts.push(body.output));
    assert.equal((await debug.move('continue')).reason, 'end');
    assert.deepEqual(
      texts,
      Array.from({ length: 6 }, () => 'withdraws\n'),
    );
  });

  it('on storage stop at writes and reads, in both directions', async () => {
    await debug.begin(EXPLOIT);
    const [thief, vault] = [
      '0xbded0d2bf404bdcba897a74e6657f1f12e5c6fb6',
      '0xc3e53f4d16ae77db1c982e75a937b9f60fe63690',
    ];
    // The mapping balanceOf is in slot 0.
    const slot = keccak256(AbiCoder.defaultAbiCoder().encode(['address', 'uint256'], [thief, 0]));
    const watch = async (accessType: DebugProtocol.DataBreakpointAccessType) => {
      const breakpoints = [{ dataId: `${vault}:${slot}`, accessType }, { dataId: 'amount' }];
      const { body } = await debug.setDataBreakpointsRequest({ breakpoints });
      assert.deepEqual(
        body.breakpoints.map(({ verified }) => verified),
        [true, false],
      );
    };
    await watch('write');
    assert.equal((await debug.move('continue')).reason, 'data breakpoint');
    assert.deepEqual(await debug.stack(), ['EtherVault.deposit:14', 'VaultThief.attack:39']);
    await debug.move('continue');
    assert.match((await debug.stack())[0]!, /^EtherVault\.withdraw:23$/);
    assert.equal((await debug.stack()).length, 12);
    assert.equal((await debug.move('reverseContinue')).reason, 'data breakpoint');
    assert.equal(await suite.line(), 14);
    await watch('read');
    await debug.move('continue');
    assert.deepEqual(await debug.stack(), ['EtherVault.withdraw:19', 'VaultThief.attack:40']);
  });

  it('on events stop where they are emitted', async () => {
    await debug.begin(EXPLOIT);
    await debug.setExceptionBreakpointsRequest({
      filters: [],
      filterOptions: [{ filterId: 'events', condition: 'Withdrawn' }],
    });
    await debug.move('continue');
    assert.match((await debug.stack())[0]!, /^EtherVault\.withdraw:24$/);
    assert.equal((await debug.stack()).length, 12);
    await debug.setExceptionBreakpointsRequest({ filters: ['events'] });
    await debug.move('reverseContinue');
    assert.match((await debug.stack())[0]!, /^EtherVault\.deposit:15$/);
  });

  it('with conditions, messages and filters that cannot be used are refused at once', async () => {
    await debug.begin(EXPLOIT);
    const refusals = (all: readonly DebugProtocol.Breakpoint[]): unknown[] =>
      all.map(({ verified, message }) => (verified ? true : message));
    const lines = await suite.setLines(
      { line: 19, condition: 'amount ==' },
      { line: 20, logMessage: 'pays {amount} and {1 2}' },
      { line: 21, logMessage: 'a } and { are texts', condition: 'amount > 5' },
      { line: 22, condition: 'amuont > 5' },
      { line: 23, logMessage: 'pays {amount} of {balance}' },
    );
    assert.deepEqual(refusals(lines), [
      'Condition "amount ==": the expression ends where a value is expected (at character 10 of the expression).',
      'Message "1 2": found "2" where an operator or the end is expected (at character 3 of the expression).',
      true,
      'Condition "amuont > 5": amuont is not known here; known are amount, sent, balanceOf, msg, tx, block, this (at character 1 of the expression).',
      'Message "balance": balance is not known here; known are amount, sent, balanceOf, msg, tx, block, this (at character 1 of the expression).',
    ]);
    const condition = '(1';
    const { body: functions } = await debug.setFunctionBreakpointsRequest({
      breakpoints: [{ name: 'withdraw', condition }, { name: 'deposit' }],
    });
    assert.match(
      String(refusals(functions.breakpoints)[0]),
      /^Condition "\(1": the expression ends/,
    );
    assert.equal(functions.breakpoints[1]!.verified, true);
    const dataId = `0x${'1'.repeat(40)}:0x${'0'.repeat(64)}`;
    const { body: data } = await debug.setDataBreakpointsRequest({
      breakpoints: [{ dataId, condition }],
    });
    assert.match(String(refusals(data.breakpoints)[0]), /^Condition "\(1": the expression ends/);
    const filters = await debug.ask<DebugProtocol.SetExceptionBreakpointsResponse>(
      'setExceptionBreakpoints',
      {
        filters: ['uncaught', 'caught'],
        filterOptions: [
          { filterId: 'all', condition: 'true' },
          { filterId: 'events', condition: 'Withdrawn, Minted' },
          { filterId: 'events', condition: 'Minted' },
          { filterId: 'events', condition: 'Withdrawn(address)' },
        ],
      },
    );
    assert.deepEqual(refusals(filters.breakpoints!), [
      true,
      'There is no filter caught; accepted: uncaught, all, panic, events.',
      'The filter all has no condition.',
      true,
      'This transaction emits no event Minted.',
      'Withdrawn(address) is not a name of an event; accepted: names separated by commas.',
    ]);
    assert.equal((await debug.move('continue')).reason, 'function breakpoint');
    await debug.setFunctionBreakpointsRequest({ breakpoints: [] });
    assert.equal((await debug.move('continue')).reason, 'event');
    assert.match((await debug.stack())[0]!, /^EtherVault\.withdraw:24$/);
  });

  it('on failures stop with the decoded error', async () => {
    const hash = sandboxHash('caught-revert');
    await debug.begin({ chain: 'sandbox', hash }, () =>
      debug.setExceptionBreakpointsRequest({ filters: ['uncaught'] }),
    );
    assert.equal((await debug.move('continue')).reason, 'end');
    await debug.setExceptionBreakpointsRequest({ filters: ['all'] });
    const stop = await debug.move('reverseContinue');
    assert.equal(stop.reason, 'exception');
    assert.ok(stop.text);
  });

  it('on panics stop beside uncaught failures', async () => {
    const hash = sandboxHash('panic-overflow');
    await debug.begin({ chain: 'sandbox', hash }, () =>
      debug.setExceptionBreakpointsRequest({ filters: ['uncaught', 'panic'] }),
    );
    const stop = await debug.move('continue');
    assert.equal(stop.reason, 'exception');
    assert.match(stop.text ?? '', /overflow/i);
  });
});
