import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AnswerFiles } from '../../server/store/cache/answer-files';
import { AnswerCache } from '../../server/chains/upstream/answer-cache';
import { ChainClients } from '../../server/chains/upstream/chain-clients';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { eachObject, UpstreamProxy } from '../support/upstream-proxy';
import { ALICE, COUNTER, TestChain, testEngines, type TestEngines } from './fork-upstream';

const BLOCKS = 45;
/** The block that anvil calls safe: 32 blocks below its head. */
const SAFE = BLOCKS - 32;

describe('cached data of a chain', () => {
  let engines: TestEngines;
  let proxy: UpstreamProxy;
  let folder: string;
  let hash: string;
  const warnings: string[] = [];
  const open: ChainClients[] = [];

  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    hash = await chain.send(ALICE, { to: COUNTER });
    for (let i = 0; i < BLOCKS; i++) await chain.mine();
    proxy = await UpstreamProxy.start(chain.engine.url);
  });
  after(async () => {
    await proxy.close();
    await engines.close();
  });
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    proxy.fault = undefined;
    proxy.rewrite = undefined;
  });
  afterEach(async () => {
    await closeAll();
    await removeDirectory(folder);
    assert.deepEqual(warnings, []);
  });

  const closeAll = (): Promise<unknown> =>
    Promise.all(open.splice(0).map((clients) => clients.close()));

  /** A client of a new process, with the cache of earlier ones. */
  function client(slug = 'eth', maxBytes = 1e9): ReturnType<ChainClients['of']> {
    const warn = (_: object, message: string): number => warnings.push(message);
    const clients = new ChainClients(new AnswerCache(new AnswerFiles({ folder, maxBytes, warn })));
    open.push(clients);
    return clients.of({ slug, chainId: 1, rpcUrls: [proxy.url] });
  }

  /** Counts the calls that reach the upstream during the work. */
  async function reaching(work: () => Promise<unknown>): Promise<Record<string, number>> {
    proxy.reset();
    await work();
    return proxy.counts();
  }

  const balance = (block: number) =>
    ['eth_getBalance', [ALICE.address, `0x${block.toString(16)}`]] as const;

  it('is fetched once, below the safe block', async () => {
    const rpc = client();
    const first = await rpc.request(...balance(SAFE));
    const calls = [
      balance(SAFE),
      ['eth_getTransactionReceipt', [hash]],
      ['eth_getBlockByNumber', ['0x1', true]],
      ['eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x2', address: COUNTER }]],
    ] as const;
    const answers = await Promise.all(calls.map(([method, params]) => rpc.request(method, params)));
    assert.equal(answers[0], first);
    assert.deepEqual(
      await reaching(async () => {
        const again = calls.map(([method, params]) => rpc.request(method, params));
        assert.deepEqual(await Promise.all(again), answers);
        // The notation does not matter.
        await rpc.request('eth_getBalance', [
          ALICE.address.toLowerCase(),
          `0x${SAFE.toString(16)}`,
        ]);
      }),
      {},
    );
  });

  it('is fetched again above the safe block, by tag, and if there was no result', async () => {
    const rpc = client();
    const calls = [
      balance(SAFE + 1),
      ['eth_getBalance', [ALICE.address, 'latest']],
      ['eth_getTransactionReceipt', [`0x${'77'.repeat(32)}`]],
    ] as const;
    const ask = () => Promise.all(calls.map(([method, params]) => rpc.request(method, params)));
    await ask();
    assert.deepEqual(await reaching(ask), { eth_getBalance: 2, eth_getTransactionReceipt: 1 });
  });

  it('is fetched again if it was invalid, because the node may be repaired', async () => {
    const rpc = client();
    const ask = () => rpc.request('eth_getTransactionReceipt', [hash]);
    await rpc.request(...balance(SAFE));
    proxy.rewrite = (answer) =>
      eachObject(answer, (one) => ('logs' in one ? { ...one, logs: 'none' } : one));
    assert.equal(((await ask()) as { logs: unknown }).logs, 'none');
    proxy.rewrite = undefined;
    const { logs } = (await ask()) as { logs: unknown[] };
    assert.equal(logs.length, 1);
    assert.deepEqual(await reaching(ask), {});
  });

  it('is shared by simultaneous requests, in one batch', async () => {
    // Without files, whose reads would finish at different times.
    const clients = new ChainClients();
    open.push(clients);
    const rpc = clients.of({ slug: 'eth', chainId: 1, rpcUrls: [proxy.url] });
    await rpc.request(...balance(1));
    proxy.reset();
    const blocks = [2, 3, 2, 4, 3];
    await Promise.all(blocks.map((block) => rpc.request(...balance(block))));
    assert.deepEqual(
      [proxy.requests, proxy.count('eth_getBalance'), proxy.largestBatch],
      [1, 3, 3],
    );
  });

  it('is fetched in one batch with the finalized block, if nothing is cached yet', async () => {
    const clients = new ChainClients();
    open.push(clients);
    const rpc = clients.of({ slug: 'eth', chainId: 1, rpcUrls: [proxy.url] });
    proxy.reset();
    await rpc.request(...balance(1));
    // The first request asks for the chain id.
    assert.deepEqual([proxy.requests, proxy.largestBatch], [2, 2]);
  });

  it('survives the process', async () => {
    const answer = await client().request(...balance(3));
    await closeAll();
    const rpc = client();
    assert.deepEqual(
      await reaching(async () => {
        assert.equal(await rpc.request(...balance(3)), answer);
      }),
      // Each process checks once that the chain is the same.
      { eth_chainId: 1, eth_getBlockByNumber: 2 },
    );
  });

  it('is separate for chains that share an id', async () => {
    await client('one').request(...balance(3));
    await closeAll();
    assert.equal((await reaching(() => client('two').request(...balance(3))))['eth_getBalance'], 1);
  });

  it('is deleted if the chain was replaced', async () => {
    const other = await TestChain.start(engines.start, 1, 'cancun');
    for (let i = 0; i < BLOCKS; i++) await other.mine();
    const otherProxy = await UpstreamProxy.start(other.engine.url);
    try {
      const answer = await client().request(...balance(3));
      await closeAll();
      const clients = new ChainClients(
        new AnswerCache(new AnswerFiles({ folder, maxBytes: 1e9, warn: () => undefined })),
      );
      open.push(clients);
      const rpc = clients.of({ slug: 'eth', chainId: 1, rpcUrls: [otherProxy.url] });
      assert.notEqual(await rpc.request(...balance(3)), answer);
    } finally {
      await otherProxy.close();
    }
  });

  it('excludes torn or changed lines', async () => {
    const first = client();
    const answers = await Promise.all([
      first.request(...balance(3)),
      first.request('eth_getCode', [COUNTER, '0x3']),
    ]);
    await closeAll();
    const file = join(folder, 'eth', '3');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(String(answers[0]), '0x1234').concat('\n7f'));
    const rpc = client();
    assert.deepEqual(
      await reaching(async () => {
        assert.equal(await rpc.request(...balance(3)), answers[0]);
        assert.equal(await rpc.request('eth_getCode', [COUNTER, '0x3']), answers[1]);
      }),
      { eth_chainId: 1, eth_getBlockByNumber: 2, eth_getBalance: 1 },
    );
    await closeAll();
    assert.deepEqual(
      (await reaching(() => client().request(...balance(3))))['eth_getBalance'],
      undefined,
    );
  });

  it('is available while the upstream is down', async () => {
    const rpc = client();
    const answer = await rpc.request(...balance(3));
    proxy.fault = () => 'drop';
    assert.equal(await rpc.request(...balance(3)), answer);
  });

  it('stays below its size limit on disk by removing the least recently used data', async () => {
    for (let block = 1; block <= SAFE; block++) {
      await client('eth', 500).request(...balance(block));
      await closeAll();
    }
    const names = await readdir(join(folder, 'eth'));
    assert.ok(names.length > 3 && names.length < SAFE, names.join(' '));
    assert.ok(names.includes('anchor') && names.includes(String(SAFE)), names.join(' '));
  });

  it('does not disturb requests if the cache cannot be written', async () => {
    const file = join(folder, 'file');
    await appendFile(file, '');
    const reported: string[] = [];
    const clients = new ChainClients(
      new AnswerCache(
        new AnswerFiles({
          folder: file,
          maxBytes: 1e9,
          warn: (_, message) => reported.push(message),
        }),
      ),
    );
    open.push(clients);
    const rpc = clients.of({ slug: 'eth', chainId: 1, rpcUrls: [proxy.url] });
    const answer = await rpc.request(...balance(3));
    assert.deepEqual(
      await reaching(async () => {
        assert.equal(await rpc.request(...balance(3)), answer);
      }),
      {},
    );
    await closeAll();
    assert.deepEqual(reported, ['answers of chains are no longer stored on disk']);
  });
});
