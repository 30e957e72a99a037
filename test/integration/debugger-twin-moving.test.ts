import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { ChangedSimulation } from '../../extension/model/debugging';
import { DebugSession } from '../support/debug-session';
import { sandboxHash } from '../support/sandbox-hashes';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

/** A compilation may take long on a busy machine. */
const COMPILE_MS = 240_000;
const POOL = readFileSync(
  path.join(__dirname, '../../server/chains/sandbox/contracts/Pool.sol'),
  'utf8',
).split('\n');
const lineOf = (text: string): number => POOL.findIndex((line) => line.includes(text)) + 1;
const QUOTED = lineOf('amountOut = quote(tokenIn, amountIn)');
const SYNCED = lineOf('reserve0 = uint112(');

describe('breakpoints and changes in an unoptimized build', function () {
  this.timeout(COMPILE_MS);
  let service: SandboxService;
  let debug: DebugSession;
  before(async () => {
    service = await sandboxService();
  });
  after(() => service.release());
  beforeEach(async () => {
    debug = await DebugSession.open(service);
    debug.defaultTimeout = COMPILE_MS;
  });
  afterEach(() => debug.close());

  const begin = (launch: object): Promise<unknown> =>
    debug.begin({ chain: 'sandbox', build: 'unoptimized', ...launch });
  const swap = { hash: sandboxHash('swap-two-hops') };
  async function breakAt(line: number): Promise<void> {
    const { sources } = await debug.ask<DebugProtocol.LoadedSourcesResponse>('loadedSources');
    const source = sources.find(({ name }) => name === 'Pool.sol')!;
    const { body } = await debug.setBreakpointsRequest({ source, breakpoints: [{ line }] });
    assert.deepEqual(
      body.breakpoints.map(({ verified, line: set }) => [verified, set]),
      [[true, line]],
    );
  }
  const top = async (): Promise<DebugProtocol.StackFrame> =>
    (await debug.stackTraceRequest({ threadId: 1 })).body.stackFrames[0]!;
  const valueOf = async (expression: string): Promise<string> =>
    (await debug.evaluateRequest({ expression, frameId: (await top()).id })).body.result;
  /** Reasons and lines of the stops up to an end. */
  async function walk(command: 'continue' | 'reverseContinue'): Promise<string[]> {
    const stops: string[] = [];
    for (;;) {
      const { reason } = await debug.move(command);
      if (reason === 'end' || reason === 'entry') return stops;
      stops.push(`${reason} ${(await top()).line}`);
    }
  }

  it('stop at lines, forwards and backwards', async () => {
    await begin(swap);
    await breakAt(QUOTED);
    const stops = Array.from({ length: 2 }, () => `breakpoint ${QUOTED}`);
    assert.deepEqual(await walk('continue'), stops);
    assert.deepEqual(await walk('reverseContinue'), stops);
  });

  it('stop where a variable is written, with its values', async () => {
    await begin(swap);
    await breakAt(QUOTED);
    await debug.move('continue');
    const before = await valueOf('reserve0');
    const { dataId } = await debug.ask<DebugProtocol.DataBreakpointInfoResponse>(
      'dataBreakpointInfo',
      { name: 'reserve0', frameId: (await top()).id },
    );
    await debug.setDataBreakpointsRequest({
      breakpoints: [{ dataId: dataId!, accessType: 'write' }],
    });
    const { reason, description = '' } = await debug.move('continue');
    assert.deepEqual([reason, (await top()).line], ['data breakpoint', SYNCED]);
    const [, old, written] = /^Write of reserve0: (\d+) → (\d+)$/.exec(description) ?? [];
    assert.equal(old, before);
    await debug.move('next');
    assert.equal((await valueOf('reserve0')).replace(/ \(was .*/, ''), written);
    const back = await debug.move('reverseContinue');
    assert.equal(back.description, description);
  });

  it('go on as a simulation with a changed variable, in an unoptimized build again', async () => {
    await begin(swap);
    await breakAt(QUOTED);
    await debug.move('continue');
    const event = debug.waitForEvent('forklens/simulate');
    const frameId = (await top()).id;
    await debug.send('setExpression', { expression: 'reserve0', value: '1000000', frameId });
    const { changes, simulate } = (await event).body as ChangedSimulation;
    assert.deepEqual(changes, ['reserve0 = 1000000']);
    await debug.close();
    debug = await DebugSession.open(service);
    debug.defaultTimeout = COMPILE_MS;
    const said: string[] = [];
    debug.on('output', ({ body }: DebugProtocol.OutputEvent) => said.push(body.output.trim()));
    await begin({ simulate, changes });
    assert.ok(
      said.some((text) => /^Unoptimized build, same effects in (\d+) of \1: /.test(text)),
      said.join('\n'),
    );
    await breakAt(QUOTED);
    await debug.move('continue');
    assert.equal(await valueOf('reserve0'), '1000000');
  });
});
