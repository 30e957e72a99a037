import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedStep, Recording } from '../../server/api/recording';
import { call } from '../support/json-rpc';
import { RecordedSession } from '../support/recordings';
import { createFork, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { UpstreamProxy } from '../support/upstream-proxy';
import {
  ALICE,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

const SLOT = `0x${'0'.repeat(64)}`;
const wordOf = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`;

describe('recordings of simulations after a restart of the service', () => {
  let engines: TestEngines;
  let chain: TestChain;
  let proxy: UpstreamProxy;
  let dataDir: string;
  let service: TestService;

  const start = async (): Promise<void> => {
    service = await startService({ dataDir, config: { chains: [ethChain(proxy.url)] } });
  };
  const restart = async (): Promise<void> => {
    await service.stop();
    await start();
  };
  before(async () => {
    engines = await testEngines();
    chain = await TestChain.start(engines.start);
    await chain.send(ALICE, { to: COUNTER });
    await chain.mine();
    proxy = await UpstreamProxy.start(chain.engine.url);
    dataDir = await makeTemporaryDirectory();
    await start();
  });
  after(async () => {
    await service.stop();
    await proxy.close();
    await engines.close();
    await removeDirectory(dataDir);
  });

  /** Calls the counter. @returns the id of the simulation */
  async function simulate(on: string): Promise<string> {
    const path = `/v1/explorer/${on}/simulate/recording`;
    const body = { from: ALICE.address, to: COUNTER };
    const { message, data } = await service.request<Recording>('POST', path, { body });
    assert.deepEqual([message, data.verification], ['OK', { level: 'call-trace' }]);
    return data.transaction;
  }

  interface Steps {
    steps: RecordedStep[];
    /** The counter's new value. */
    stored: string;
  }
  async function stepsOf(on: string, id: string): Promise<Steps> {
    const session = await RecordedSession.open(service, on, id);
    assert.deepEqual(session.recording.verification, { level: 'call-trace' });
    const steps: RecordedStep[] = [];
    for (let step = 0; step < session.recording.steps; step++) {
      steps.push(await session.step(step));
    }
    return { steps, stored: steps.find(({ op }) => op === 'SSTORE')!.stack.at(-2)! };
  }

  /** The recordings are made again when they are asked for, with the names of another interface. */
  async function renameCounter(contractName: string): Promise<void> {
    const body = { abi: [{ type: 'fallback' }], contractName };
    const { message } = await service.request('PUT', `/v1/abi/eth/${COUNTER}`, { body });
    assert.equal(message, 'OK');
  }
  async function removeFiles(): Promise<void> {
    const folder = join(dataDir, 'recording-cache');
    for (const name of await readdir(folder)) await rm(join(folder, name));
  }

  it('on a chain have the same steps, and execute nothing', async () => {
    const id = await simulate('eth');
    const first = await stepsOf('eth', id);
    assert.ok(first.steps.length > 5);
    await restart();
    proxy.reset();
    assert.deepEqual(await stepsOf('eth', id), first);
    const asked = Object.keys(proxy.counts());
    assert.ok(asked.includes('eth_getTransactionByHash'));
    assert.deepEqual(
      asked.filter((method) => /^debug_|^eth_call$|^eth_getStorageAt$/.test(method)),
      [],
    );
  });

  it('on a fork have the same steps after its state changed', async () => {
    const fork = await createFork(service, { chainId: 1 });
    const id = await simulate(fork.forkId);
    const first = await stepsOf(fork.forkId, id);
    await call(fork.rpc, 'anvil_setStorageAt', COUNTER, SLOT, wordOf(41));
    await restart();
    assert.deepEqual(await stepsOf(fork.forkId, id), first);
    const other = await stepsOf(fork.forkId, await simulate(fork.forkId));
    assert.deepEqual([first.stored, other.stored], ['0x1', '0x2a']);
    await assert.rejects(RecordedSession.open(service, 'eth', id), / is not known on eth$/);
    await renameCounter('One');
    assert.equal((await stepsOf(fork.forkId, id)).stored, '0x1');
    await removeFiles();
    await renameCounter('Two');
    await assert.rejects(RecordedSession.open(service, fork.forkId, id), {
      message: `the recording of simulation ${id} is no longer kept, and the state of fork ${fork.forkId} may be another one now: simulate it again`,
    });
  });

  it('on a chain are simulated again without their file, and refused after a reorganisation', async () => {
    const id = await simulate('eth');
    const first = await stepsOf('eth', id);
    await removeFiles();
    await renameCounter('Three');
    assert.deepEqual(await stepsOf('eth', id), first);
    await chain.engine.rpc.request('anvil_rollback', [1]);
    await chain.mine();
    await renameCounter('Four');
    assert.deepEqual(await stepsOf('eth', id), first);
    await removeFiles();
    await renameCounter('Five');
    await assert.rejects(RecordedSession.open(service, 'eth', id), {
      message: `the recording of simulation ${id} is no longer kept, and a reorganisation of eth replaced its block: simulate it again`,
    });
  });
});
