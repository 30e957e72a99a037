import assert from 'node:assert/strict';
import type { Bisection } from '../../server/api/bisect';
import { LongChainNode } from '../support/long-chain';
import { startService, type TestService } from '../support/service';

const ACCOUNT = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const HEAD = 20_000_000;

describe('a bisection over a long chain', function () {
  this.timeout(60_000);
  let node: LongChainNode;
  let pruned: LongChainNode;
  let service: TestService;
  before(async () => {
    const chain = {
      chainId: 777_001,
      head: HEAD,
      balances: [
        [0, 5],
        [12_345_678, 7],
      ] as const,
      oldest: 0,
      delayMs: 50,
    };
    node = await LongChainNode.start(chain);
    pruned = await LongChainNode.start({
      ...chain,
      chainId: 777_002,
      oldest: 19_871_234,
      delayMs: 0,
    });
    const chains = [
      { slug: 'long', chainId: 777_001, rpcUrls: [node.url] },
      { slug: 'pruned', chainId: 777_002, rpcUrls: [pruned.url] },
    ];
    service = await startService({ config: { chains } });
  });
  after(async () => {
    await service.stop();
    await node.close();
    await pruned.close();
  });

  it('of 20 million blocks, 50 ms away, takes less than 5 seconds and some 40 reads', async () => {
    const body = { expression: `${ACCOUNT}.balance`, from: 0 };
    const start = performance.now();
    const { data, message } = await service.request<Bisection>('POST', bisectOn('long'), { body });
    const ms = performance.now() - start;
    assert.equal(message, 'OK');
    const [change, ...others] = data.changes;
    assert.equal(others.length, 0);
    assert.equal(change?.blockNumber, 12_345_678);
    assert.equal(change.transaction, null);
    assert.deepEqual([change.before.value, change.after.value], ['5', '7']);
    assert.ok(data.reads <= 45, `${data.reads} reads`);
    assert.ok(ms < 5_000, `${ms} ms`);
  });

  it('beyond what the node has names the oldest block that it has', async () => {
    const body = { expression: `${ACCOUNT}.balance`, from: 1_000 };
    const { code, message } = await service.request('POST', bisectOn('pruned'), { body });
    assert.equal(code, 50201);
    assert.equal(
      message,
      'the node of pruned lacks the state of block 1000: the oldest block whose state it has is 19871234; accepted: from 19871234 on, or an archive node',
    );
  });
});

const bisectOn = (chain: string): string => `/v1/explorer/${chain}/bisect`;
