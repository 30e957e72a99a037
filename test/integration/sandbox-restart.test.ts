import assert from 'node:assert/strict';
import type { EngineExit, StartEngine, Engine } from '../../server/evm/forms/engine';
import { findAnvil } from '../../server/chains/engine/binary';
import { anvilStarter } from '../../server/chains/engine/engine-process';
import { startKeptSandbox, type KeptSandbox } from '../../server/chains/sandbox/kept-sandbox';
import { HttpRpcClient } from '../../server/chains/upstream/http-rpc-client';
import { compileTestContracts } from '../support/sandbox';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

describe('the engine of the sandbox', () => {
  let home: string;
  let sandbox: KeptSandbox | undefined;
  let client: HttpRpcClient | undefined;
  const engines: Engine[] = [];
  const ends: EngineExit[] = [];

  before(async () => {
    await compileTestContracts();
    home = await makeTemporaryDirectory();
  });
  after(async () => {
    await client?.close();
    await sandbox?.stop();
    await removeDirectory(home);
  });

  it('is started again by the next request after it died, with the same blocks', async () => {
    const { path } = await findAnvil({ path: process.env['PATH'] });
    const start = anvilStarter({ binary: path, home });
    const startEngine: StartEngine = async (parameters, signal) => {
      const engine = await start(parameters, signal);
      engines.push(engine);
      return engine;
    };
    sandbox = await startKeptSandbox({ startEngine, onEnd: (exit) => ends.push(exit) });
    const { chain, story, connect } = sandbox;
    client = new HttpRpcClient({ name: chain.slug, urls: chain.rpcUrls, connect });
    const receipt = () =>
      client!.request('eth_getTransactionReceipt', [story.at(-1)!.hash]) as Promise<object>;
    const before = await receipt();
    assert.ok('blockHash' in before);
    const [first] = engines;
    process.kill(first!.pid, 'SIGKILL');
    await first!.exited;
    assert.deepEqual(await receipt(), before);
    assert.equal(engines.length, 2);
    assert.deepEqual(
      ends.map(({ signal }) => signal),
      ['SIGKILL'],
    );
  });

  it('is not started again after a stop', async () => {
    await sandbox?.stop();
    assert.equal(engines.length, 2);
    await engines[1]!.exited;
    assert.equal(ends.length, 1);
    await assert.rejects(sandbox!.connect(), /the sandbox is stopped/);
  });
});
