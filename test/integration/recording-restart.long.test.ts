import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedStep } from '../../server/api/recording';
import { RecordedSession } from '../support/recordings';
import { startService, type TestService } from '../support/service';
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

describe('recordings after a restart of the service', () => {
  let engines: TestEngines;
  let proxy: UpstreamProxy;
  let dataDir: string;
  let hash: string;
  let service: TestService | undefined;
  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    hash = await chain.send(ALICE, { to: COUNTER });
    await chain.mine();
    proxy = await UpstreamProxy.start(chain.engine.url);
    dataDir = await makeTemporaryDirectory();
  });
  afterEach(() => service?.stop());
  after(async () => {
    await proxy.close();
    await engines.close();
    await removeDirectory(dataDir);
  });

  /** All steps of the transaction, by a service that was started now, and the traces that it asked the node for. */
  async function record(): Promise<{ steps: RecordedStep[]; traces: number }> {
    service = await startService({ dataDir, config: { chains: [ethChain(proxy.url)] } });
    proxy.reset();
    const session = await RecordedSession.open(service, 'eth', hash);
    assert.deepEqual(session.recording.verification, { level: 'receipt' });
    const steps: RecordedStep[] = [];
    for (let step = 0; step < session.recording.steps; step++) {
      steps.push(await session.step(step));
    }
    const names = Object.keys(proxy.counts()).filter((name) => name.startsWith('debug_'));
    const traces = names.reduce((sum, name) => sum + proxy.count(name), 0);
    return { steps, traces };
  }

  const files = async (): Promise<string[]> =>
    (await readdir(join(dataDir, 'recording-cache')).catch(() => [])).filter((name) =>
      name.endsWith('.gz'),
    );
  let first: RecordedStep[];

  it('have the same steps, without a trace of the node', async () => {
    const recorded = await record();
    first = recorded.steps;
    assert.ok(first.length > 5 && recorded.traces > 0, `${first.length} ${recorded.traces}`);
    await service?.stop();
    assert.equal((await files()).length, 1);
    assert.deepEqual(await record(), { steps: first, traces: 0 });
  });

  it('are made from the traces of the node where the file is damaged', async () => {
    await writeFile(join(dataDir, 'recording-cache', (await files())[0]!), 'damaged');
    const { steps, traces } = await record();
    assert.deepEqual(steps, first);
    assert.ok(traces > 0);
    await service?.stop();
    assert.deepEqual(await record(), { steps: first, traces: 0 });
  });
});
