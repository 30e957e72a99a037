import assert from 'node:assert/strict';
import type { Chain } from '../../server/api/config';
import type { Fork } from '../../server/api/fork';
import { toQuantity, toWord } from '../../server/evm/forms/quantity';
import { call, post, refusal } from '../support/json-rpc';
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
/** Stores the balance of the address in its call data in slot 0. */
const BALANCE_KEEPER = `0x${'ba'.repeat(20)}`;
const BALANCE_KEEPER_CODE = '0x6000353160005500';

describe('forks of an upstream', function () {
  this.timeout(60_000);
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
    await chain.engine.rpc.request('anvil_setCode', [BALANCE_KEEPER, BALANCE_KEEPER_CODE]);
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
      // Whether the chain is still the same.
      assert.deepEqual(proxy.counts(), { eth_chainId: 1, eth_getBlockByNumber: 2 });
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
    let [asked, refused] = [0, 0];
    // Every second request, without information when to retry.
    proxy.fault = () => {
      if (++asked % 2 === 1) return undefined;
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
    const head = await call(rpc, 'eth_blockNumber');
    proxy.fault = () => ({ status: 502, body: '<html>Bad Gateway</html>' });
    const stranger = `0x${'55'.repeat(20)}`;
    const error = {
      code: -32002,
      message: 'no RPC endpoint of chain eth answers (HTTP 502)',
    };
    const refused = [
      { method: 'eth_getBalance', params: [stranger, 'latest'] },
      { method: 'eth_call', params: [{ to: stranger, data: '0x12' }, 'latest'] },
      { method: 'eth_getBlockByNumber', params: ['0x2', false] },
      { method: 'anvil_setBalance', params: [stranger, '0x1'] },
      { method: 'eth_sendTransaction', params: [{ from: stranger, to: COUNTER, gas: '0xffff' }] },
    ];
    const batch = refused.map((one, id) => ({ jsonrpc: '2.0', id, ...one }));
    const answered = refused.map((_, id) => ({ jsonrpc: '2.0', id, error }));
    assert.deepEqual(
      await Promise.all(batch.map((one) => post(rpc, JSON.stringify(one)))),
      answered,
    );
    assert.deepEqual(await post(rpc, JSON.stringify(batch)), answered);
    assert.equal(await call(rpc, 'eth_blockNumber'), head);
    proxy.fault = undefined;
    assert.equal(await call(rpc, 'eth_getBalance', stranger, 'latest'), '0x0');
  });

  describe('with transactions that read the chain while they are mined', () => {
    let fork: Fork;
    let sends = 0;
    const error = {
      code: -32002,
      message: "the fork's engine could not read chain eth (the node fails)",
    };
    const send = (gas = '0x186a0'): object => ({
      from: BOB.address,
      to: BALANCE_KEEPER,
      gas,
      // An account that the engine has not loaded.
      data: toWord(BigInt(`0x${String(++sends).repeat(20)}`)),
    });
    beforeEach(async () => {
      fork = await service.create({ height: toQuantity(BLOCKS) });
      await call(fork.rpc, 'eth_sendTransaction', send());
      proxy.fault = (calls) =>
        calls.some(({ method }) => method === 'eth_getBalance')
          ? { error: { code: -32000, message: 'the node fails' } }
          : undefined;
    });

    /** Requests a change that the upstream's failure prevents, and repeats it once the upstream answers. */
    async function refusedThenMade(method: string, ...params: unknown[]): Promise<void> {
      const { rpc } = fork;
      const head = await call(rpc, 'eth_getBlockByNumber', 'latest', true);
      const pool = await call(rpc, 'txpool_content');
      const { engine } = service;
      assert.deepEqual(await refusal(rpc, method, ...params), error);
      await engine.exited;
      proxy.fault = undefined;
      assert.deepEqual(await call(rpc, 'eth_getBlockByNumber', 'latest', true), head);
      assert.deepEqual(await call(rpc, 'txpool_content'), pool);
      await call(rpc, method, ...params);
    }

    const mined = async (): Promise<number> =>
      (await call<{ transactions: string[] }>(fork.rpc, 'eth_getBlockByNumber', 'latest', false))
        .transactions.length;

    it('refuse to mine a block without them, and are as before', async () => {
      await refusedThenMade('eth_sendTransaction', send());
      assert.equal(await mined(), 1);
    });

    it('refuse a bundle', async () => {
      await refusedThenMade('eth_sendTransactions', [send(), send()]);
      assert.equal(await mined(), 2);
    });

    it('keep the transactions that wait in the pool', async () => {
      await call(fork.rpc, 'evm_setAutomine', false);
      await call(fork.rpc, 'eth_sendTransaction', send());
      await refusedThenMade('evm_mine');
      assert.equal(await mined(), 1);
    });
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
    [324, [/^Test: .*EraVM/]],
    [10, [/^Test: transactions sent to a fork pay neither the L1 data fee/, /^Test: .*P256VERIFY/]],
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
        assert.equal(warnings.length, said.length, warnings.join('\n'));
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
      isKind('invalidField', /^height is 65535 \(0xffff\); accepted: a block up to 45 \(0x2d\)/),
    );
  });

  it('are created in a few round trips', async () => {
    proxy.reset();
    const first = await service.create({ height: HEIGHT });
    assert.deepEqual(proxy.counts(), {
      eth_chainId: 1,
      // The node's schedule of hardforks, beside the others.
      eth_config: 1,
      eth_getBlockByNumber: 2,
      eth_getBlockByHash: 2,
      // In one round trip the two system contracts and the fork's ten accounts, then the fee recipient, which is the account that the
      // engine checks, too. What each block changes is read in advance, so that blocks can be mined during an outage. One more balance proves that the node has the state.
      eth_getBalance: 14,
      eth_getCode: 13,
      eth_getTransactionCount: 13,
    });
    assert.equal(await use(first.rpc), 17);
  });
});
