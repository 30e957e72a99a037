import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { AbiCoder, keccak256 } from 'ethers';
import { DebugSession } from '../support/debug-session';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork, localProject, startService, type TestService } from '../support/service';

const VAULT = 'EtherVault.sol';
const exploit = { chain: 'sandbox', hash: sandboxHash('exploit-reentrancy') };

describe('the debugger, by the Debug Adapter Protocol', function () {
  this.timeout(60_000);
  let service: TestService;
  let debug: DebugSession;

  before(async () => {
    service = await startService({ args: ['--sandbox'] });
  });
  after(async () => {
    await service.stop();
  });
  beforeEach(async () => {
    debug = await DebugSession.open(service);
  });
  afterEach(async () => {
    await debug.close();
  });

  /** The source of the frame in which the debugger is. */
  async function topSource(): Promise<DebugProtocol.Source> {
    const { body } = await debug.stackTraceRequest({ threadId: 1, levels: 1 });
    return body.stackFrames[0]!.source!;
  }

  const setLines = async (
    ...breakpoints: DebugProtocol.SourceBreakpoint[]
  ): Promise<DebugProtocol.Breakpoint[]> => {
    const { body } = await debug.setBreakpointsRequest({ source: await topSource(), breakpoints });
    return body.breakpoints;
  };

  const line = async (): Promise<number> => {
    const { body } = await debug.stackTraceRequest({ threadId: 1, levels: 1 });
    return body.stackFrames[0]!.line;
  };

  describe('a session', () => {
    it('begins at the first line, with its source', async () => {
      const { body } = await debug.begin(exploit);
      assert.equal(body.reason, 'entry');
      assert.deepEqual(await debug.stack(), ['VaultThief.attack:39']);
      const source = await topSource();
      assert.deepEqual(source, {
        ...{ name: VAULT, path: VAULT, sourceReference: 1, origin: 'sandbox' },
      });
      const { body: text } = await debug.sourceRequest({ source, sourceReference: 1 });
      assert.match(text.content, /^contract EtherVault \{/m);
      const { body: threads } = await debug.threadsRequest();
      assert.deepEqual(threads.threads, [{ id: 1, name: 'transaction 0xbe04…3b29' }]);
    });

    it('steps through an unsent transaction', async () => {
      const simulate = {
        from: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
        to: '0xc3e53f4d16ae77db1c982e75a937b9f60fe63690',
        data: '0xd0e30db0', // deposit()
        value: '0x5',
      };
      await debug.begin({ chain: 'sandbox', simulate });
      assert.deepEqual(await debug.stack(), ['EtherVault.deposit:14']);
      const { body } = await debug.threadsRequest();
      assert.deepEqual(body.threads, [{ id: 1, name: 'simulation' }]);
      assert.equal((await debug.move('continue')).reason, 'end');
    });

    it('says which features it has', async () => {
      const { body } = await debug.initializeRequest();
      const has = Object.entries(body ?? {}).filter(([, value]) => value === true);
      assert.equal(has.length, 24);
      assert.deepEqual(
        body?.exceptionBreakpointFilters?.map(({ filter }) => filter),
        ['uncaught', 'all', 'panic', 'events'],
      );
    });

    it('begins at a call of the call tree, at an event, and at the failure', async () => {
      await debug.begin({ ...exploit, stopAt: 3 });
      assert.deepEqual(
        (await debug.stack()).map((frame) => frame.split(':')[0]),
        ['EtherVault.withdraw', 'VaultThief.attack'],
      );
      assert.equal(await line(), 19);
      await debug.close();
      debug = await DebugSession.open(service);
      await debug.begin({ ...exploit, stopAt: 2 });
      assert.deepEqual(await debug.stack(), ['EtherVault.deposit:15', 'VaultThief.attack:39']);
      await debug.close();
      debug = await DebugSession.open(service);
      const hash = sandboxHash('custom-error-three-deep');
      const { body } = await debug.begin({ chain: 'sandbox', hash, stopAt: 'failure' });
      assert.equal(body.reason, 'exception');
      const { body: info } = await debug
        .send('exceptionInfo', { threadId: 1 })
        .then(
          (response: DebugProtocol.Response) =>
            response as unknown as DebugProtocol.ExceptionInfoResponse,
        );
      assert.equal(info.description, body.text);
      assert.match(body.text!, /^\w+\(/);
      assert.equal(info.exceptionId, body.text!.split('(')[0]);
    });

    it('ends its work when it ends', async () => {
      await debug.begin(exploit);
      const ended = debug.waitForEvent('terminated');
      await debug.send('terminate');
      await ended;
      await assert.rejects(debug.stack(), /cancelled/);
    });
  });

  describe('motion', () => {
    it('goes back through the lines that it went forwards through', async () => {
      await debug.begin(exploit);
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
      await debug.begin(exploit);
      await debug.move('next');
      assert.equal(await line(), 40);
      await debug.move('stepIn');
      assert.deepEqual(await debug.stack(), ['EtherVault.withdraw:19', 'VaultThief.attack:40']);
      await debug.move('next');
      await debug.move('next');
      assert.equal(await line(), 21);
      await debug.move('next');
      assert.deepEqual(await debug.stack(), ['EtherVault.withdraw:22', 'VaultThief.attack:40']);
      await debug.move('stepOut');
      assert.match((await debug.stack())[0]!, /^VaultThief\.attack:4[01]$/);
    });

    it('steps by instruction, and back', async () => {
      await debug.begin(exploit);
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

    it('stops at the end, ends behind it, and goes back to the start', async () => {
      await debug.begin(exploit);
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
      await debug.begin(exploit);
      const stopped = debug.nextStop();
      await debug.continueRequest({ threadId: 1 });
      await debug.send('cancel', { requestId: 1 });
      assert.equal((await stopped).body.reason, 'end');
      assert.equal((await debug.move('pause')).reason, 'pause');
      assert.equal((await debug.stack()).length, 1);
    });

    it('restarts, restarts a frame, and goes to an executed line', async () => {
      await debug.begin({ ...exploit, stopAt: 2 });
      const { body } = await debug.stackTraceRequest({ threadId: 1 });
      await debug.move('restartFrame', { frameId: body.stackFrames[0]!.id });
      assert.match((await debug.stack())[0]!, /^EtherVault\.deposit:/);
      const source = await topSource();
      assert.equal((await debug.move('restart')).reason, 'entry');
      assert.deepEqual(await debug.stack(), ['VaultThief.attack:39']);
      const { body: found } = (await debug.send('gotoTargets', {
        source,
        line: 21,
      })) as DebugProtocol.GotoTargetsResponse;
      assert.equal(found.targets.length, 6);
      assert.match(found.targets[1]!.label, /^2 of 6, step \d+$/);
      await debug.move('goto', { targetId: found.targets[1]!.id });
      assert.equal(await line(), 21);
      assert.equal((await debug.stack()).length, 4);
      const none = await debug.send('gotoTargets', { source, line: 1 });
      assert.deepEqual(none.body, { targets: [] });
    });
  });

  describe('breakpoints', () => {
    it('on lines stop in both directions, and move to the next executed line', async () => {
      await debug.begin(exploit);
      const set = await setLines({ line: 23 }, { line: 17 }, { line: 33 }, { line: 900 });
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
      await setLines({ line: 23 });
      const stop = await debug.move('continue');
      assert.equal(stop.reason, 'breakpoint');
      assert.equal(stop.hitBreakpointIds?.length, 1);
      assert.deepEqual([await line(), (await debug.stack()).length], [23, 12]);
      await debug.move('continue');
      assert.equal((await debug.stack()).length, 10);
      await debug.move('reverseContinue');
      assert.equal((await debug.stack()).length, 12);
    });

    it('on lines of files that the client opens itself are set before the first stop', async () => {
      await debug.close();
      const locate = (_: unknown, { file }: { file: string }) => Promise.resolve(`/src/${file}`);
      debug = await DebugSession.open(service, { locate });
      const set = (path: string) =>
        debug.setBreakpointsRequest({ source: { path }, breakpoints: [{ line: 15 }] });
      await debug.begin(exploit, async () => {
        const { body } = await set('/src/EtherVault.sol');
        assert.equal(body.breakpoints[0]!.verified, true);
        const { body: other } = await set('/lib/EtherVault.sol');
        assert.equal(other.breakpoints[0]!.verified, false);
        assert.match(other.breakpoints[0]!.message!, /^This transaction executes no code of this/);
      });
      assert.deepEqual(await topSource(), { name: VAULT, path: '/src/EtherVault.sol' });
      await debug.move('continue');
      assert.deepEqual(await debug.stack(), ['EtherVault.deposit:15', 'VaultThief.attack:39']);
    });

    it('on lines have hit counts, and refuse those that they do not understand', async () => {
      await debug.begin(exploit);
      const [bad] = await setLines({ line: 19, hitCondition: '% 2' });
      assert.deepEqual(
        [bad!.verified, bad!.message],
        [false, 'A hit count is a number, or >= and a number, or > and a number.'],
      );
      await setLines({ line: 19, hitCondition: '> 2' });
      await debug.move('continue');
      assert.equal((await debug.stack()).length, 6);
    });

    it('list the lines at which they can be', async () => {
      await debug.begin(exploit);
      const answer = (await debug.send('breakpointLocations', {
        ...{ source: await topSource(), line: 13, endLine: 21 },
      })) as DebugProtocol.BreakpointLocationsResponse;
      assert.deepEqual(
        answer.body.breakpoints.map((one) => one.line),
        [14, 15, 19, 20, 21],
      );
    });

    it('on functions stop at calls by name', async () => {
      await debug.begin(exploit);
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

    it('on instructions stop at them', async () => {
      await debug.begin(exploit);
      const reference = (await debug.stackTraceRequest({ threadId: 1 })).body.stackFrames[0]!
        .instructionPointerReference!;
      const { instructions } = (
        (await debug.send('disassemble', {
          ...{ memoryReference: reference, instructionCount: 3 },
        })) as DebugProtocol.DisassembleResponse
      ).body!;
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
      await debug.begin(exploit);
      await setLines({ line: 20, logMessage: 'withdraws' });
      const texts: string[] = [];
      debug.on('output', ({ body }: DebugProtocol.OutputEvent) => texts.push(body.output));
      assert.equal((await debug.move('continue')).reason, 'end');
      assert.deepEqual(
        texts,
        Array.from({ length: 6 }, () => 'withdraws\n'),
      );
    });

    it('on storage stop at writes and reads, in both directions', async () => {
      await debug.begin(exploit);
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
      assert.equal(await line(), 14);
      await watch('read');
      await debug.move('continue');
      assert.deepEqual(await debug.stack(), ['EtherVault.withdraw:19', 'VaultThief.attack:40']);
    });

    it('on events stop where they are emitted', async () => {
      await debug.begin(exploit);
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

  describe('instructions', () => {
    const disassemble = async (
      args: Omit<DebugProtocol.DisassembleArguments, 'memoryReference'>,
    ): Promise<DebugProtocol.DisassembledInstruction[]> => {
      const { body } = await debug.stackTraceRequest({ threadId: 1 });
      const memoryReference = body.stackFrames[0]!.instructionPointerReference!;
      const answer = await debug.send('disassemble', { memoryReference, ...args });
      return (answer as DebugProtocol.DisassembleResponse).body!.instructions;
    };

    it('are listed before and after the current one, with their places', async () => {
      await debug.begin(exploit);
      const around = await disassemble({ instructionOffset: -2, instructionCount: 5 });
      const from = await disassemble({ instructionCount: 3 });
      assert.deepEqual(around.slice(2), from);
      assert.equal(from[0]!.line, 39);
      assert.match(from[0]!.instruction, /^[A-Z]+[0-9]*( 0x[0-9a-f]+)?$/);
    });

    it('are padded before the start and after the end of the code', async () => {
      await debug.begin(exploit);
      const all = await disassemble({ instructionOffset: -1_000, instructionCount: 2_000 });
      assert.equal(all.length, 2_000);
      assert.equal(new Set(all.map(({ address }) => address)).size, 2_000);
      const valid = all.filter(({ presentationHint }) => presentationHint !== 'invalid');
      assert.equal(valid.length, 268);
      const addresses = all.map(({ address }) => BigInt(address));
      assert.ok(addresses.every((address, n) => n === 0 || address > addresses[n - 1]!));
    });
  });

  describe('a view', () => {
    it('has the scopes, the stack and the memory of each frame', async () => {
      await debug.begin({ ...exploit, stopAt: 3 });
      for (let n = 0; n < 2; n++) await debug.move('stepIn');
      const { body } = await debug.stackTraceRequest({ threadId: 1 });
      const { scopes } = (await debug.scopesRequest({ frameId: body.stackFrames[0]!.id })).body;
      assert.deepEqual(
        scopes.map(({ name }) => name),
        [
          ...['Locals and Arguments', 'State', 'Message and Block', 'Stack', 'Memory'],
          ...['Storage Touched', 'Transient Storage', 'Return Data', 'Gas'],
        ],
      );
      const variablesOf = async (name: string): Promise<DebugProtocol.Variable[]> => {
        const { variablesReference } = scopes.find((scope) => scope.name === name)!;
        return (await debug.variablesRequest({ variablesReference })).body.variables;
      };
      const stack = await variablesOf('Stack');
      assert.ok(stack.length > 2);
      assert.equal(stack.at(-1)!.name, '0');
      const [all, first] = await variablesOf('Memory');
      assert.match(all!.value, /^\d+ bytes$/);
      assert.match(first!.value, /^0x[0-9a-f]{64}$/);
      const read = (await debug.send('readMemory', {
        ...{ memoryReference: all!.memoryReference, offset: 64, count: 1_000_000 },
      })) as DebugProtocol.ReadMemoryResponse;
      const bytes = Buffer.from(read.body!.data!, 'base64');
      assert.equal(bytes.length + read.body!.unreadableBytes!, 1_000_000);
      assert.equal(bytes.length + 64, Number(all!.value.split(' ')[0]!.replaceAll(',', '')));
    });

    it('lists the sources', async () => {
      await debug.begin(exploit);
      const answer = (await debug.send('loadedSources')) as DebugProtocol.LoadedSourcesResponse;
      assert.deepEqual(
        answer.body.sources.map(({ name }) => name),
        [VAULT],
      );
    });

    it('lists executed lines with their gas', async () => {
      await debug.begin(exploit);
      const { body } = (await debug.send('forklens/lines', { source: await topSource() })) as {
        body: { lines: { line: number; count: number; gas: number }[] };
      };
      assert.deepEqual(
        body.lines.find((one) => one.line === 14),
        { line: 14, count: 1, gas: 22_272 },
      );
    });

    it('counts lines from 0 for a client that does', async () => {
      await debug.begin(exploit, undefined, { linesStartAt1: false });
      assert.equal(await line(), 38);
    });
  });

  describe('errors', () => {
    const refusal = (launch: object): Promise<string> =>
      debug.begin(launch).then(
        () => assert.fail('the launch succeeded'),
        (error: Error) => error.message,
      );

    it('name the field of a launch that is wrong', async () => {
      assert.match(
        await refusal({ chain: 'sandbox' }),
        /^Hash is .*; accepted: a transaction hash/,
      );
    });

    it('say that the chain or the transaction is unknown', async () => {
      assert.match(await refusal({ ...exploit, chain: 'nowhere' }), /nowhere/);
      await debug.close();
      debug = await DebugSession.open(service);
      assert.match(await refusal({ ...exploit, hash: `0x${'ab'.repeat(32)}` }), /transaction/i);
    });

    it('say that there is no code to step through', async () => {
      assert.equal(
        await refusal({ ...exploit, hash: sandboxHash('send-ether') }),
        'This transaction executes no code: there is nothing to step through.',
      );
    });

    it('say that a fork was deleted', async () => {
      const fork = await createFork(service, { chainId: 31337 });
      const path = `/v1/project/${await localProject(service)}/fork/${fork.forkId}`;
      await debug.begin({ chain: fork.forkId, hash: exploit.hash });
      await service.request('DELETE', path);
      await debug.close();
      debug = await DebugSession.open(service);
      assert.match(await refusal({ chain: fork.forkId, hash: exploit.hash }), /fork/i);
    });

    it('answer unknown requests', async () => {
      await debug.begin(exploit);
      await assert.rejects(debug.send('attach', {}), /The debugger has no request attach\./);
    });

    it('answer a cancelled launch', async () => {
      await debug.initializeRequest({ adapterID: 'forklens', pathFormat: 'path' });
      const hash = sandboxHash('recursion-2047-frames');
      const launched = debug.launchRequest({
        ...{ chain: 'sandbox', hash },
      } as DebugProtocol.LaunchRequestArguments);
      await debug.send('cancel', { progressId: 'recording' });
      await assert.rejects(launched, /cancelled/);
    });
  });
});
