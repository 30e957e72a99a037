import assert from 'node:assert/strict';
import type { Chain } from '../../server/api/config';
import { call } from '../support/json-rpc';
import { limitExceeded, tooManyRequests, UpstreamProxy } from '../support/upstream-proxy';
import { isKind, PROJECT, TestForks } from './fork-service';
import {
  ALICE,
  BOB,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

const BLOCKS = 45;
/** Below anvil's safe block, which is 32 blocks below its head. */
const HEIGHT = '0x8';

describe('forks of an upstream', () => {
  let engines: TestEngines;
  let proxy: UpstreamProxy;
  let service: TestForks;

  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    for (let i = 0; i < BLOCKS; i++) {
      await chain.send(ALICE, { to: COUNTER });
      await chain.send(BOB, { to: COUNTER });
      await chain.mine();
    }
    proxy = await UpstreamProxy.start(chain.engine.url);
  });
  after(async () => {
    await proxy.close();
    await engines.close();
  });
  beforeEach(async () => {
    proxy.fault = undefined;
    proxy.latencyMs = 0;
    service = await open({});
  });
  afterEach(async () => {
    await service.forks.deleteAllOf(PROJECT);
    await service.close();
  });

  const open = (changes: Partial<Chain>): Promise<TestForks> =>
    TestForks.open(engines, ethChain(`${proxy.url}/5ecr3t`, changes));

  /** Reads and writes on a fork. @returns the final value of the counter */
  async function use(rpc: string): Promise<number> {
    await call(rpc, 'eth_getBalance', ALICE.address, 'latest');
    await call(rpc, 'eth_getLogs', { fromBlock: '0x1', toBlock: 'latest', address: COUNTER });
    await call(rpc, 'eth_getBlockByNumber', '0x3', true);
    await call(rpc, 'eth_sendTransaction', { from: BOB.address, to: COUNTER });
    return Number(await call(rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest'));
  }

  for (const position of [undefined, 0, 1]) {
    it(`fetch nothing twice for the same height, at position ${position ?? 'end'}`, async () => {
      const body = { height: HEIGHT, ...(position === undefined ? {} : { position }) };
      const first = await use((await service.create(body)).rpc);
      proxy.reset();
      assert.equal(await use((await service.create(body)).rpc), first);
      assert.deepEqual(proxy.counts(), {});
    });
  }

  it('continue if the upstream is unavailable for a short time', async () => {
    const { rpc } = await service.create({ height: HEIGHT });
    let failures = 3;
    proxy.fault = () => (failures-- > 0 ? 'drop' : undefined);
    assert.equal(await use(rpc), 17);
    assert.ok(failures < 0);
  });

  it('tolerate many rate limits', async () => {
    let refused = 0;
    let window = { from: 0, requests: 0 };
    // Three requests per 100 ms, without information when to retry.
    proxy.fault = () => {
      if (performance.now() - window.from > 100) window = { from: performance.now(), requests: 0 };
      if (++window.requests <= 3) return undefined;
      refused++;
      return refused % 2 === 0 ? limitExceeded : tooManyRequests();
    };
    const { rpc } = await service.create({ height: HEIGHT, position: 1 });
    const readings = Array.from({ length: 40 }, (_, i) =>
      call(rpc, 'eth_getBalance', `0x${String(i).padStart(40, '7')}`, 'latest'),
    );
    assert.deepEqual(new Set(await Promise.all(readings)), new Set(['0x0']));
    assert.equal(await use(rpc), 16);
    assert.ok(refused > 0);
  });

  it('report that the upstream is down, at the start and later, and work once it is available', async () => {
    proxy.fault = () => 'drop';
    const down = isKind(
      'upstreamUnreachable',
      /^no RPC endpoint of chain eth answers \(UND_ERR_SOCKET\)$/,
    );
    await assert.rejects(service.create({ height: HEIGHT }), down);
    proxy.fault = undefined;
    const { rpc } = await service.create({ height: HEIGHT });
    proxy.fault = () => ({ status: 502, body: '<html>Bad Gateway</html>' });
    const response = await fetch(rpc, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_getBalance',
        params: [`0x${'55'.repeat(20)}`, 'latest'],
      }),
    });
    const { error } = (await response.json()) as { error: { message: string } };
    assert.match(error.message, /no RPC endpoint of chain eth answers \(HTTP 502\)/);
    proxy.fault = undefined;
    assert.equal(await call(rpc, 'eth_getBalance', `0x${'55'.repeat(20)}`, 'latest'), '0x0');
  });

  it('are refused if the endpoint is of another chain', async () => {
    const wrong = await open({ chainId: 10 });
    try {
      await assert.rejects(
        wrong.create({ height: HEIGHT }),
        isKind('upstreamUnreachable', /chain eth answers for chain id 1 instead of 10/),
      );
    } finally {
      await wrong.close();
    }
  });

  it('report the state that an endpoint lacks, unless another one has it', async () => {
    const pruned = await UpstreamProxy.start(proxy.url);
    const error = { code: -32000, message: 'missing trie node 5d (path )' };
    pruned.rewrite = (answer, calls) => {
      const answers = (Array.isArray(answer) ? answer : [answer]) as { id: unknown }[];
      const changed = answers.map(({ id, ...rest }) => {
        const asked = calls.find((one) => one.id === id)?.method;
        return asked === 'eth_getBalance' ? { id, error } : { id, ...rest };
      });
      return Array.isArray(answer) ? changed : changed[0];
    };
    const alone = await open({ rpcUrls: [pruned.url] });
    const both = await open({ rpcUrls: [pruned.url, proxy.url] });
    try {
      await assert.rejects(
        alone.create({ height: HEIGHT }),
        isKind(
          'upstreamLacksData',
          /^the RPC endpoint of chain eth lacks the state of block 8 \(eth_getBalance\); an archive node is needed$/,
        ),
      );
      assert.equal(await use((await both.create({ height: HEIGHT })).rpc), 17);
      await both.forks.deleteAllOf(PROJECT);
    } finally {
      await alone.close();
      await both.close();
      await pruned.close();
    }
  });

  for (const [chainId, said] of [
    [324, [/^the rules of chain eth \(id 324\) are not known: osaka is assumed/, /^Test: .*EraVM/]],
    [10, [/^Test: the L1 data fee is not charged/]],
  ] as [number, RegExp[]][]) {
    it(`warn about their differences from chain ${chainId}`, async () => {
      const chain = await TestChain.start(engines.start, chainId);
      await chain.mine();
      const rpcUrls = [chain.engine.url];
      const other = await open({ chainId, rpcUrls, name: 'Test' });
      try {
        const { warnings = [], forkId } = await other.create({
          height: '0x1',
          accounts: 'none',
        });
        assert.equal(warnings.length, said.length);
        for (const [i, pattern] of said.entries()) assert.match(warnings[i]!, pattern);
        assert.deepEqual(other.warnings, warnings);
        assert.deepEqual((await other.forks.get(PROJECT, forkId)).warnings, warnings);
        await other.forks.deleteAllOf(PROJECT);
      } finally {
        await other.close();
      }
    });
  }

  it('are refused above the head, and the error names the head', async () => {
    await assert.rejects(
      service.create({ height: '0xffff' }),
      isKind('invalidField', /^height is "0xffff"; accepted: a block up to 0x2d \(45\)/),
    );
  });

  it('are created in a few round trips', async () => {
    proxy.reset();
    const first = await service.create({ height: HEIGHT });
    assert.deepEqual(proxy.counts(), {
      eth_chainId: 1,
      eth_getBlockByNumber: 3,
      // The engine's check of its own account, and in one round trip the two system contracts and the fork's ten accounts. The system
      // contracts are read in advance, so that blocks can be mined during an outage.
      eth_getBalance: 13,
      eth_getCode: 12,
      eth_getTransactionCount: 12,
    });
    assert.equal(await use(first.rpc), 17);
  });
});
