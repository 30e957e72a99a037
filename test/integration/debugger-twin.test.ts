import assert from 'node:assert/strict';
import type { Recording, RecordedStep, Variables } from '../../server/api/recording';
import type { Found } from '../../server/api/recording-search';
import type { ShownWriters } from '../../extension/debugger/adapter/writers';
import { findAnvil } from '../../server/chains/engine/binary';
import { copyBundles } from '../support/copied-bundles';
import { DebugSession } from '../support/debug-session';
import { sandboxHash } from '../support/sandbox-hashes';
import { startService } from '../support/service';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';
import { removeDirectory } from '../support/temporary-directory';

/** A compilation may take long on a busy machine. */
const COMPILE_MS = 240_000;

describe('unoptimized builds of optimized code', function () {
  this.timeout(COMPILE_MS);
  let service: SandboxService;
  before(async () => {
    service = await sandboxService();
  });
  after(() => service.release());

  const baseOf = (id: string): string =>
    `/v1/explorer/sandbox/transaction/${sandboxHash(id)}/recording`;
  async function get<T>(path: string): Promise<T> {
    const { message, data } = await service.request<T>('GET', path);
    assert.equal(message, 'OK');
    return data;
  }
  const opened = (id: string): Promise<Recording> =>
    get<Recording>(`${baseOf(id)}?build=unoptimized`);

  /** `name = value` of the locals at the first stop of a line. */
  async function localsAt(id: string, file: string, line: number): Promise<string[]> {
    const body = {
      from: 0,
      direction: 'forwards',
      mode: 'continue',
      lines: [{ id: 1, file, line }],
    };
    const path = `${baseOf(id)}/find?build=unoptimized`;
    const { data } = await service.request<Found>('POST', path, { body });
    assert.equal(data.reason, 'line');
    const { variables } = await get<Variables>(
      `${baseOf(id)}/step/${data.step}/variables?scope=locals&build=unoptimized`,
    );
    return variables.map(({ name, value, unavailable }) => `${name} = ${unavailable ?? value}`);
  }

  it('have all effects of a proxy and its implementation, and the gas of the executed code', async () => {
    const executed = await get<Recording>(baseOf('proxy-mint'));
    assert.equal(executed.build, 'executed');
    assert.equal(executed.twin, undefined);
    const twin = await opened('proxy-mint');
    assert.equal(twin.build, 'unoptimized');
    assert.equal(twin.gasUsed, executed.gasUsed);
    assert.notEqual(twin.steps, executed.steps);
    assert.notEqual(twin.revision, executed.revision);
    const { same, of, contracts } = twin.twin!;
    assert.deepEqual([same, of], [6, 6]);
    assert.deepEqual(
      contracts.map(({ name, settings, reason }) => [name, settings, reason]),
      [
        ['Proxy', 'without the optimizer', undefined],
        ['UpgradeableToken', 'without the optimizer', undefined],
      ],
    );
    assert.deepEqual(
      contracts.map(({ address }) => address),
      executed.contracts.map(({ address }) => address),
    );
  });

  it('begin and end with the gas of the executed code', async () => {
    const [executed, twin] = await Promise.all([
      get<Recording>(baseOf('proxy-mint')),
      opened('proxy-mint'),
    ]);
    const gasAt = async (step: number, build: string): Promise<number> =>
      (await get<RecordedStep>(`${baseOf('proxy-mint')}/step/${step}?build=${build}`)).gas;
    assert.equal(await gasAt(0, 'unoptimized'), await gasAt(0, 'executed'));
    const last = await gasAt(twin.steps - 1, 'unoptimized');
    assert.ok(last >= (await gasAt(executed.steps - 1, 'executed')));
  });

  it('are stepped through in the editor, which says what they are', async () => {
    const debug = await DebugSession.open(service);
    const said: string[] = [];
    debug.on('output', ({ body }: { body: { output: string } }) => said.push(body.output.trim()));
    try {
      await debug.begin({
        chain: 'sandbox',
        hash: sandboxHash('proxy-mint'),
        build: 'unoptimized',
      });
      assert.ok(
        said.includes(
          'Unoptimized build, same effects in 6 of 6: the variables are those of the sources, and the gas is that of the executed code.',
        ),
        said.join('\n'),
      );
    } finally {
      await debug.close();
    }
  });

  it('have locals where the executed code has none', async () => {
    const { twin } = await opened('swap-two-hops');
    assert.deepEqual([twin!.same, twin!.of], [41, 41]);
    const [tokenIn, to, ...others] = await localsAt('swap-two-hops', 'Pool.sol', 62);
    assert.match(tokenIn!, /^tokenIn = 0x[0-9a-f]{40}$/);
    assert.match(to!, /^to = 0x[0-9a-f]{40}$/);
    assert.deepEqual(others, [
      'amountOut = 0',
      'zeroIn = true',
      'amountIn = 1000000000000000000000',
    ]);
  });

  it('list the writers of locals, which the executed code does not know', async () => {
    const hash = sandboxHash('swap-two-hops');
    const lines = [{ id: 1, file: 'Pool.sol', line: 62 }];
    const body = { from: 0, direction: 'forwards', mode: 'continue', lines };
    const writersIn = async (build: string): Promise<ShownWriters> => {
      const path = `${baseOf('swap-two-hops')}/find?build=${build}`;
      const { data } = await service.request<Found>('POST', path, { body });
      const debug = await DebugSession.open(service);
      try {
        await debug.begin({ chain: 'sandbox', hash, build, stopAt: { step: data.step } });
        return (await debug.send('forklens/writers', { name: 'amountIn' })).body as ShownWriters;
      } finally {
        await debug.close();
      }
    };
    const { writers } = await writersIn('unoptimized');
    assert.deepEqual(
      writers.map(({ label }) => label.replace(/^step [\d,]+ · /, '')),
      [
        'Pool.swap, line 60 · → 1000000000000000000000',
        'Pool.swap, line 61 · read',
        'Pool.swap, line 62 · read',
        'Pool.swap, line 65 · read',
      ],
    );
    const { unavailable } = await writersIn('executed');
    assert.equal(
      unavailable,
      'amountIn: it was compiled with the optimizer, which moves and merges variables on the stack',
    );
  });

  it('need a compiler, which the editor can offer', async () => {
    const home = await copyBundles();
    const { path: anvilPath } = await findAnvil({ path: process.env['PATH'] });
    // No folder above this one has packages of solc.
    const alone = await startService({
      root: home,
      args: ['--sandbox'],
      config: { engine: { anvilPath } },
    });
    const debug = await DebugSession.open(alone);
    const said: string[] = [];
    debug.on('output', ({ body }: { body: { output: string } }) => said.push(body.output.trim()));
    const offered = debug.waitForEvent('forklens/missingCompilers');
    try {
      const hash = sandboxHash('proxy-mint');
      await debug.begin({ chain: 'sandbox', hash, build: 'unoptimized' });
      const { body } = (await offered) as { body?: unknown };
      const contracts = ['Proxy', 'UpgradeableToken'];
      assert.deepEqual(body, { missing: [{ version: '0.8.30', contracts }] });
      const remark = said.find((text) => text.startsWith('Locals of Proxy, UpgradeableToken need'));
      assert.match(remark ?? said.join('\n'), /“forklens solc add 0\.8\.30”/);
    } finally {
      await debug.close();
      await alone.stop();
      await removeDirectory(home);
    }
  });
});
