import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAnvil } from '../../../../server/chains/engine/binary';
import { launchCommand } from '../../../../server/chains/engine/launch-command';
import { anvilStarter } from '../../../../server/chains/engine/engine-process';
import { socketFolder } from '../../../../server/chains/engine/socket-folder';
import { ApiError } from '../../../../server/api/errors';
import { eventually } from '../../../support/eventually';

describe('an engine process', () => {
  let home: string;
  let binary: string;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'forklens-test-'));
    binary = (await findAnvil({})).path;
  });
  after(() => rm(home, { recursive: true, force: true }));

  it('answers at the address that it chose, and stops on request', async () => {
    const engine = await anvilStarter({ binary, home })({ hardfork: 'prague', chainId: 77 });
    assert.match(engine.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(await engine.rpc.request('eth_chainId', []), '0x4d');
    const [first, second] = await Promise.all([engine.stop(), engine.stop()]);
    assert.deepEqual(first, second);
    assert.deepEqual(await engine.exited, first);
    assert.ok(first.log.some((line) => line.startsWith('Listening on')));
    await assert.rejects(engine.rpc.request('eth_chainId', []), {
      kind: 'engineUnavailable',
      message:
        'the engine ended before it answered: repeat the request; if it ends again, it may need more memory (engine.memoryMegabytes)',
    });
  });

  it('answers over its Unix socket, long messages as well, and leaves none behind', async function () {
    if (process.platform === 'win32') this.skip();
    const folder = join(home, 'sockets');
    const newSocket = await socketFolder(folder);
    assert.ok(newSocket);
    const engine = await anvilStarter({ binary, home, newSocket })({ hardfork: 'prague' });
    const [socket = ''] = await readdir(folder);
    const inherited = await readFile(`/proc/${engine.pid}/cmdline`, 'utf8').catch(() => socket);
    assert.ok(inherited.includes(socket));
    const address = `0x${'c0'.repeat(20)}`;
    for (const bytes of [100, 200_000]) {
      const code = `0x${'5b'.repeat(bytes)}`;
      await engine.rpc.request('anvil_setCode', [address, code]);
      assert.equal(await engine.rpc.request('eth_getCode', [address, 'latest']), code);
    }
    await engine.stop();
    await eventually(async () => {
      assert.deepEqual(await readdir(folder), []);
    });
  });

  it('reads over its Unix socket what it reads over HTTP, and says as exactly what it cannot read', async function () {
    if (process.platform === 'win32') this.skip();
    const newSocket = await socketFolder(join(home, 'sockets'));
    const engine = await anvilStarter({ binary, home, newSocket })({ hardfork: 'prague' });
    const { rpc } = engine;
    // PUSH1 7 BLOCKHASH PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN
    const data = '0x60074060005260206000f3';
    const hash = `0x${'ab'.repeat(32)}`;
    const params = [{ data }, 'latest', null, { number: '0x8', blockHash: { 7: hash } }];
    const named = { method: 'eth_call', params };
    const chain = { method: 'eth_chainId', params: [] };
    const wrong = { method: 'eth_getBalance', params: ['0x12', 'latest'] };
    assert.equal(await rpc.request(named.method, named.params), hash);
    const [first, second, third] = await rpc.requestAll([chain, named, wrong]);
    assert.deepEqual(first, { status: 'fulfilled', value: '0x7a69' });
    assert.deepEqual(second, { status: 'fulfilled', value: hash });
    assert.ok(third?.status === 'rejected');
    assert.match(String(third.reason), /odd number of digits|invalid (value|string )?length/i);
    await assert.rejects(rpc.request(wrong.method, wrong.params), third.reason as Error);
    await engine.stop();
  });

  it('hides its answers from web pages', async () => {
    const engine = await anvilStarter({ binary, home })({ hardfork: 'prague' });
    const page = { Origin: 'https://page.example' };
    const answer = await fetch(engine.url, {
      method: 'POST',
      headers: { ...page, 'Content-Type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
    });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
    const asked = { 'Access-Control-Request-Method': 'POST' };
    const preflight = await fetch(engine.url, {
      method: 'OPTIONS',
      headers: { ...page, ...asked },
    });
    assert.equal(preflight.headers.get('access-control-allow-origin'), null);
    await engine.stop();
  });

  it('runs in its own environment', async () => {
    const engine = await anvilStarter({ binary, home })({ hardfork: 'prague' });
    const environment = await readFile(`/proc/${engine.pid}/environ`, 'utf8').catch(
      () => undefined,
    );
    await engine.stop();
    if (environment === undefined) return; // no /proc
    const names = environment
      .split('\0')
      .filter(Boolean)
      .map((pair) => pair.split('=')[0]);
    assert.deepEqual(names.sort(), ['HOME', 'NO_COLOR', 'PATH', 'USERPROFILE']);
    assert.ok(environment.includes(`HOME=${home}`));
  });

  it('reports why it did not start, without the address of its upstream', async () => {
    const upstream = { url: 'http://127.0.0.1:1/5ecr3t', blockNumber: 5 };
    const starting = anvilStarter({ binary, home })({ hardfork: 'prague', upstream });
    await assert.rejects(starting, (error: unknown) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.kind, 'engineUnavailable');
      assert.match(error.message, /^the engine ended before it answered: exit code/);
      assert.doesNotMatch(error.message, /5ecr3t/);
      return true;
    });
    await assert.rejects(
      anvilStarter({ binary: join(home, 'none'), home })({ hardfork: 'prague' }),
      {
        kind: 'engineUnavailable',
      },
    );
  });

  it('ends when its start is cancelled or takes too long', async () => {
    const silent = {
      binary: '/bin/sleep',
      home,
      launch: () =>
        Promise.resolve({ file: '/bin/sleep', args: ['600'], stdin: 'ignore' as const }),
    };
    const cancel = new AbortController();
    const starting = anvilStarter(silent)({ hardfork: 'prague' }, cancel.signal);
    setImmediate(() => {
      cancel.abort();
    });
    await assert.rejects(starting, { kind: 'cancelled' });
    await assert.rejects(anvilStarter({ ...silent, startTimeoutMs: 50 })({ hardfork: 'prague' }), {
      kind: 'timedOut',
    });
  });

  // The kernel's mechanism, if available, and that of other POSIX systems.
  for (const platform of process.platform === 'win32'
    ? []
    : [process.platform, 'freebsd' as const]) {
    it(`does not outlive a killed parent (${platform})`, async () => {
      const parent = spawn(
        process.execPath,
        ['--import', 'tsx', join(__dirname, 'orphan-parent.mjs'), binary, home, platform],
        { stdio: ['pipe', 'pipe', 'inherit'] },
      );
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      assert.ok(isAlive(pid));
      const gone = once(parent, 'exit');
      parent.kill('SIGKILL');
      await gone;
      // No event reports the end of a process that is not a child.
      await eventually(() => {
        assert.equal(isAlive(pid), false);
      });
    });
  }

  it('is stopped through the lifeline as well', async () => {
    const launch = (file: string, args: readonly string[]) => launchCommand(file, args, 'freebsd');
    const engine = await anvilStarter({ binary, home, launch })({ hardfork: 'prague' });
    assert.equal(await engine.rpc.request('eth_chainId', []), '0x7a69');
    await engine.stop();
    assert.equal(isAlive(engine.pid), false);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
