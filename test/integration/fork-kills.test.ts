import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import type { Chain } from '../../server/api/config';
import type { ForkRecord } from '../../server/forks/fork-record';
import { call, PROJECT, reply, TestForks } from './fork-service';
import { ALICE, BOB, COUNTER, TestChain, testEngines, type TestEngines } from './fork-upstream';

const FORKS = 8;
const ROUNDS = 25;
/** The service is started anew after so many rounds. */
const ROUNDS_PER_SERVICE = 8;
const SEED = Number(process.env['FORK_KILLS_SEED'] ?? 1);
const STRANGER = `0x${'99'.repeat(20)}`;

/** Mulberry32: the same choices for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** What is done on one fork. */
interface Workload {
  fork: Fork;
  below: (limit: number) => number;
  /** Ids that `evm_snapshot` gave; some are consumed since. */
  snapshots: string[];
}

describe('forks under kills', function () {
  this.timeout(300_000);
  let engines: TestEngines;
  let chain: Chain;
  let service: TestForks;
  let records: Map<string, ForkRecord>;

  before(async () => {
    engines = await testEngines();
    const upstream = await TestChain.start(engines.start);
    await upstream.engine.rpc.request('anvil_impersonateAccount', [ALICE.address]);
    // Blocks full of blobs: the excess blob gas, which no revert takes back, then falls from block to block.
    for (let block = 0; block < 12; block++) {
      await upstream.send(ALICE, {
        type: 3,
        to: COUNTER,
        maxFeePerBlobGas: 10n ** 12n,
        blobVersionedHashes: Array.from({ length: 9 }, (_, i) => `0x01${String(i).repeat(62)}`),
      });
      await upstream.mine();
    }
    chain = { slug: 'eth', chainId: 1, nativeSymbol: 'ETH', rpcUrls: [upstream.engine.url] };
    records = new Map();
    service = await TestForks.open(engines.start, engines.home, chain, { records });
  });

  after(async () => {
    await service.close();
    await engines.close();
  });

  /** Makes a change that is chosen at random; it may be refused. */
  async function change({ fork, below, snapshots }: Workload): Promise<unknown> {
    const { rpc, snapshotId, forkId } = fork;
    const from = [ALICE.address, BOB.address][below(2)];
    switch (below(13)) {
      case 0:
        return reply(rpc, 'anvil_setBalance', STRANGER, `0x${(below(1e9) + 1).toString(16)}`);
      case 1:
        return reply(rpc, 'evm_increaseTime', below(1000));
      case 2:
        return reply(rpc, 'anvil_mine', `0x${(below(4) + 1).toString(16)}`);
      case 3:
        return reply(rpc, 'anvil_setCoinbase', `0x${String(below(10)).repeat(40)}`);
      case 4:
        return reply(rpc, 'anvil_setNextBlockBaseFeePerGas', `0x${(below(1e9) + 7).toString(16)}`);
      case 5:
        return reply(rpc, 'evm_setAutomine', below(3) > 0);
      case 6: {
        const answer = await reply(rpc, 'evm_snapshot');
        if (typeof answer.result === 'string') snapshots.push(answer.result);
        return answer;
      }
      case 7: {
        const ids = [snapshotId, ...snapshots, '0x0'];
        return reply(rpc, 'evm_revert', ids[below(ids.length)]);
      }
      case 8: {
        const named = await service.forks.snapshots(PROJECT, forkId);
        const one = named[below(named.length)]?.snapshotId;
        if (one === undefined || named.length < 5) {
          return service.forks.keepSnapshot(PROJECT, forkId, `n${below(99)}`);
        }
        return below(3) === 0 && one !== snapshotId
          ? service.forks.deleteSnapshot(PROJECT, forkId, one)
          : service.forks.revertSnapshot(PROJECT, forkId, one);
      }
      case 9: {
        const { error } = await reply(rpc, 'eth_sendTransactions', [
          { from, to: COUNTER },
          { from: BOB.address, to: STRANGER, value: '0x1' },
        ]);
        // Refused at most, also where that takes a new engine.
        assert.ok(error === undefined || error.code === -32003, error?.message);
        return;
      }
      default:
        return reply(rpc, 'eth_sendTransaction', {
          from,
          to: COUNTER,
          gas: '0x186a0',
          ...(below(5) === 0 ? { data: '0xff' } : {}),
        });
    }
  }

  /** All that can be seen of a fork, of its newest 12 blocks. */
  async function seen({ rpc, forkId, height }: Fork): Promise<unknown> {
    const head = Number(await call(rpc, 'eth_blockNumber'));
    const blocks = [];
    for (let number = Math.max(Number(height) + 1, head - 11); number <= head; number++) {
      const block = await call<{ transactions: { hash: string }[] }>(
        rpc,
        'eth_getBlockByNumber',
        `0x${number.toString(16)}`,
        true,
      );
      const traces = [];
      for (const { hash } of block.transactions) {
        traces.push(
          await call(rpc, 'debug_traceTransaction', hash, { tracer: 'callTracer' }),
          await call(rpc, 'eth_getTransactionReceipt', hash),
        );
      }
      blocks.push(block, traces);
    }
    return {
      blocks,
      logs: await call(rpc, 'eth_getLogs', { fromBlock: '0x1', toBlock: 'latest' }),
      balances: [
        await call(rpc, 'eth_getBalance', STRANGER, 'latest'),
        await call(rpc, 'eth_getBalance', ALICE.address, 'latest'),
      ],
      counter: await call(rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest'),
      automine: await call(rpc, 'anvil_getAutomine'),
      pool: await call(rpc, 'txpool_content'),
      snapshots: await service.forks.snapshots(PROJECT, forkId),
      list: await service.forks.transactions(PROJECT, forkId, { limit: 200 }),
    };
  }

  /** Returns once the engine is gone. */
  async function kill({ rpc }: Fork): Promise<void> {
    const secret = rpc.slice(-32);
    await service.forks.findBySecret(secret)?.use(async ({ process: engine }) => {
      process.kill(engine.pid, 'SIGKILL');
      await engine.exited;
    });
  }

  async function round({ fork, ...work }: Workload): Promise<void> {
    for (let changes = work.below(6) + 1; changes > 0; changes--) await change({ fork, ...work });
    const before = await seen(fork);
    await kill(fork);
    assert.deepEqual(await seen(fork), before);
    // In the middle of a change, of which only the acknowledgement counts.
    const [sent] = await Promise.all([
      reply(fork.rpc, 'eth_sendTransaction', { from: BOB.address, to: COUNTER }),
      kill(fork),
    ]);
    if (typeof sent.result !== 'string') return;
    assert.ok(await call(fork.rpc, 'eth_getTransactionByHash', sent.result));
  }

  async function restart(workloads: readonly Workload[]): Promise<void> {
    const before = await Promise.all(workloads.map(({ fork }) => seen(fork)));
    assert.deepEqual(service.warnings, []);
    await service.close();
    service = await TestForks.open(engines.start, engines.home, chain, { records });
    await service.forks.recover();
    for (const work of workloads) {
      work.fork = await service.forks.get(PROJECT, work.fork.forkId);
      assert.equal(work.fork.state, 'sleeping');
    }
    assert.deepEqual(await Promise.all(workloads.map(({ fork }) => seen(fork))), before);
  }

  it(`have all that was acknowledged, in ${FORKS * ROUNDS} rounds from seed ${SEED}`, async () => {
    const workloads = await Promise.all(
      Array.from({ length: FORKS }, async (_, i): Promise<Workload> => {
        const fork = await service.create({ height: i % 2 === 0 ? '0xc' : '0x1' });
        return { fork, below: random(1000 * SEED + i), snapshots: [] };
      }),
    );
    for (let done = 1; done <= ROUNDS; done++) {
      await Promise.all(workloads.map(round));
      if (done % ROUNDS_PER_SERVICE === 0) await restart(workloads);
    }
    assert.deepEqual(service.warnings, []);
  });
});
