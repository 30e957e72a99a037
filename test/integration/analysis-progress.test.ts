import assert from 'node:assert/strict';
import { createApiClient, type ApiClient } from '../../server/api/client';
import type { Hash } from '../../server/api/primitives';
import type { Progress } from '../../server/api/progress';
import { toQuantity } from '../../server/evm/forms/quantity';
import type { RpcBlock } from '../../server/evm/forms/types';
import { BUSY } from '../support/mainnet-blocks';
import { MainnetUpstream } from '../support/mainnet-upstream';
import { startService, type TestService } from '../support/service';
import { UpstreamProxy } from '../support/upstream-proxy';
import { ethChain } from './fork-upstream';

describe('a long analysis', () => {
  let mainnet: MainnetUpstream;
  let proxy: UpstreamProxy;
  let service: TestService;
  let client: ApiClient;
  let hashes: Hash[];
  before(async () => {
    mainnet = await MainnetUpstream.start();
    proxy = await UpstreamProxy.start(mainnet.url);
    const { transactions } = (await mainnet.rpc.request('eth_getBlockByNumber', [
      toQuantity(mainnet.busy),
      true,
    ])) as RpcBlock;
    hashes = transactions.map(({ hash }) => hash);
    const chain = ethChain(proxy.url);
    service = await startService({ config: { chains: [chain], prices: { source: 'none' } } });
    const endpoint = { baseUrl: service.url, accessKey: service.key };
    client = createApiClient(() => Promise.resolve(endpoint));
  });
  afterEach(() => {
    proxy.fault = undefined;
    proxy.latencyMs = 0;
  });
  after(async () => {
    await service.stop();
    await proxy.close();
    await mainnet.close();
  });
  const place = (index: number) => ({
    params: { chain: 'eth', transaction: hashes[index] ?? '0x' },
  });

  /** Slows the upstream down. @returns a promise that resolves at the first request for the method */
  const slowed = (method: string): Promise<void> =>
    new Promise((resolve) => {
      proxy.latencyMs = 100;
      proxy.fault = (calls) => {
        if (calls.some((call) => call.method === method)) resolve();
        return undefined;
      };
    });

  it('stops when no client waits for it', async () => {
    // The first request for this chain, so nothing is cached.
    const asked = slowed('eth_getTransactionReceipt');
    const leaving = new AbortController();
    const gone = client.call('getBalanceChange', place(BUSY.lottery), { signal: leaving.signal });
    await asked;
    leaving.abort();
    await assert.rejects(gone, { kind: 'cancelled' });
    const started = proxy.count('eth_createAccessList');
    await client.call('getBalanceChange', place(BUSY.revert));
    assert.equal(proxy.count('eth_createAccessList'), started + 1);
  });

  it('reports its progress, and answers the same as without progress', async () => {
    const progress: Progress[] = [];
    const request = place(BUSY.fundedInside);
    const flow = await client.call('getInvocationFlow', request, {
      onProgress: (step) => progress.push(step),
    });
    assert.deepEqual(flow, await client.call('getInvocationFlow', request));
    assert.equal(flow.verification.faithful, true);
    assert.deepEqual(progress[0], { stage: 'tracing', done: 0, total: 1 });
    assert.deepEqual(progress.at(-1), { stage: 'tracing', done: 1, total: 1 });
    const replayed = progress.filter(({ stage }) => stage === 'replaying transactions');
    const { applied } = flow.verification;
    assert.deepEqual(replayed.at(-1), {
      stage: 'replaying transactions',
      done: applied,
      total: applied,
    });
  });

  it('replays only once for a state difference, and reports its progress', async () => {
    const progress: Progress[] = [];
    const request = place(BUSY.lottery);
    const { stateDiff } = await client.call('getStateDiff', request, {
      onProgress: (step) => progress.push(step),
    });
    assert.equal(stateDiff.method, 'replay');
    const [done, total] = [BUSY.lottery, BUSY.lottery];
    assert.deepEqual(progress.at(-1), { stage: 'replaying transactions', done, total });
    // The gas profile and the proof need further data.
    await client.call('getAnalysis', { ...request, query: { proof: 'wait' } });
    proxy.reset();
    assert.deepEqual((await client.call('getStateDiff', request)).stateDiff, stateDiff);
    assert.deepEqual((await client.call('getAnalysis', request)).stateDiff, stateDiff);
    assert.deepEqual(proxy.counts(), {});
  });

  it('reports the progress of the prefix of a simulation', async () => {
    const progress: Progress[] = [];
    const from = `0x${'a1'.repeat(20)}` as const;
    const body = { from, to: from, height: toQuantity(mainnet.busy), position: 4 };
    await client.call(
      'simulate',
      { params: { chain: 'eth' }, body },
      {
        onProgress: (step) => progress.push(step),
      },
    );
    const stage = 'replaying transactions';
    assert.deepEqual(
      progress,
      [1, 2, 3, 4].map((done) => ({ stage, done, total: 4 })),
    );
  });

  it('is cancelled for one client, and continues for another', async () => {
    const asked = slowed('debug_traceTransaction');
    const request = place(BUSY.factory);
    const leaving = new AbortController();
    const gone = client.call('getBalanceChange', request, { signal: leaving.signal });
    const staying = client.call('getBalanceChange', request);
    await asked;
    leaving.abort();
    await assert.rejects(gone, { kind: 'cancelled' });
    assert.equal((await staying).verification?.faithful, true);
  });
});
