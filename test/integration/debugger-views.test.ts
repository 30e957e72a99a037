import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugSession } from '../support/debug-session';
import { EXPLOIT, THIEF, VAULT, VAULT_FILE, useDebugger } from './debugger-suite';

describe('views of the debugger', () => {
  const suite = useDebugger();
  let debug: DebugSession;

  beforeEach(() => {
    debug = suite.debug;
  });

  describe('instructions', () => {
    const disassemble = async (
      args: Omit<DebugProtocol.DisassembleArguments, 'memoryReference'>,
    ): Promise<DebugProtocol.DisassembledInstruction[]> => {
      const { body } = await debug.stackTraceRequest({ threadId: 1 });
      const memoryReference = body.stackFrames[0]!.instructionPointerReference!;
      const answer = await debug.ask<DebugProtocol.DisassembleResponse>('disassemble', {
        memoryReference,
        ...args,
      });
      return answer.instructions;
    };

    it('are listed before and after the current one, with their places', async () => {
      await debug.begin(EXPLOIT);
      const around = await disassemble({ instructionOffset: -2, instructionCount: 5 });
      const from = await disassemble({ instructionCount: 3 });
      assert.deepEqual(around.slice(2), from);
      assert.equal(from[0]!.line, 39);
      assert.match(from[0]!.instruction, /^[A-Z]+[0-9]*( 0x[0-9a-f]+)?$/);
    });

    it('are padded before the start and after the end of the code', async () => {
      await debug.begin(EXPLOIT);
      const all = await disassemble({ instructionOffset: -1_000, instructionCount: 2_000 });
      assert.equal(all.length, 2_000);
      assert.equal(new Set(all.map(({ address }) => address)).size, 2_000);
      const valid = all.filter(({ presentationHint }) => presentationHint !== 'invalid');
      assert.equal(valid.length, 254);
      const addresses = all.map(({ address }) => BigInt(address));
      assert.ok(addresses.every((address, n) => n === 0 || address > addresses[n - 1]!));
    });
  });

  describe('a view', () => {
    it('has the scopes, the stack and the memory of each frame', async () => {
      await debug.begin({ ...EXPLOIT, stopAt: 3 });
      for (let n = 0; n < 2; n++) await debug.move('stepIn');
      const { body } = await debug.stackTraceRequest({ threadId: 1 });
      const { scopes } = (await debug.scopesRequest({ frameId: body.stackFrames[0]!.id })).body;
      assert.deepEqual(
        scopes.map(({ name }) => name),
        [
          'Locals and Arguments',
          'State',
          'State of All Contracts',
          'Message and Block',
          'Stack',
          'Memory',
          'Storage Touched',
          'Transient Storage',
          'Return Data',
          'Gas',
        ],
      );
      const variablesOf = async (name: string): Promise<DebugProtocol.Variable[]> => {
        const { variablesReference } = scopes.find((scope) => scope.name === name)!;
        return (await debug.variablesRequest({ variablesReference })).body.variables;
      };
      const contracts = await variablesOf('State of All Contracts');
      assert.deepEqual(
        contracts.map(({ name }) => name),
        [`VaultThief at ${THIEF}`, `EtherVault at ${VAULT}`],
      );
      const stack = await variablesOf('Stack');
      assert.ok(stack.length > 2);
      assert.equal(stack.at(-1)!.name, '0');
      const [all, first] = await variablesOf('Memory');
      assert.match(all!.value, /^\d+ bytes$/);
      assert.match(first!.value, /^0x[0-9a-f]{64}$/);
      const read = await debug.ask<DebugProtocol.ReadMemoryResponse>('readMemory', {
        memoryReference: all!.memoryReference,
        offset: 64,
        count: 1_000_000,
      });
      const bytes = Buffer.from(read.data!, 'base64');
      assert.equal(bytes.length + read.unreadableBytes!, 1_000_000);
      assert.equal(bytes.length + 64, Number(all!.value.split(' ')[0]!.replaceAll(',', '')));
    });

    it('lists the sources', async () => {
      await debug.begin(EXPLOIT);
      const answer = (await debug.send('loadedSources')) as DebugProtocol.LoadedSourcesResponse;
      assert.deepEqual(
        answer.body.sources.map(({ name }) => name),
        [VAULT_FILE],
      );
    });

    it('lists executed lines with their gas', async () => {
      await debug.begin(EXPLOIT);
      const { body } = (await debug.send('forklens/lines', {
        source: await suite.topSource(),
      })) as {
        body: { lines: { line: number; count: number; gas: number }[] };
      };
      assert.deepEqual(
        body.lines.find((one) => one.line === 14),
        { line: 14, count: 1, gas: 22_396 },
      );
    });

    it('counts lines from 0 for a client that does', async () => {
      await debug.begin(EXPLOIT, undefined, { linesStartAt1: false });
      assert.equal(await suite.line(), 38);
    });
  });
});
