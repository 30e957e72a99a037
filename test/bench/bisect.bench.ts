import type { Bisection } from '../../server/api/bisect';
import { toQuantity } from '../../server/evm/forms/quantity';
import { ms, timed } from '../support/bench-analysis';
import { call } from '../support/json-rpc';
import { LongChainNode } from '../support/long-chain';
import { startService } from '../support/service';

/*
 * Measures the search of `forklens bisect` for the block in which a balance changed.
 *
 * The peer is a script's binary search on the same node: one `eth_getBalance` after the other. Our side is a new service, and its time
 * includes the first connection. Compare the ratio: the load of the machine changes the figures themselves.
 *
 *     npm run bench -- bisect
 */

const ACCOUNT = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const HEAD = 20_000_000;
const CHANGED = 12_345_678;
const LATENCY_MS = 50;

/** @returns the first block with another balance than block 0 */
async function binarySearch(url: string): Promise<number> {
  const balanceAt = (block: number): Promise<string> =>
    call(url, 'eth_getBalance', ACCOUNT, toQuantity(block));
  const first = await balanceAt(0);
  let [same, other] = [0, HEAD];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if ((await balanceAt(middle)) === first) same = middle;
    else other = middle;
  }
  return other;
}

async function main(): Promise<void> {
  const node = await LongChainNode.start({
    chainId: 777_001,
    head: HEAD,
    balances: [
      [0, 5],
      [CHANGED, 7],
    ],
    oldest: 0,
    delayMs: LATENCY_MS,
  });
  const chains = [{ slug: 'long', chainId: 777_001, rpcUrls: [node.url] }];
  const service = await startService({ config: { chains } });
  try {
    let found: Bisection | undefined;
    const ours = await timed(async () => {
      const body = { expression: `${ACCOUNT}.balance`, from: 0 };
      const path = '/v1/explorer/long/bisect';
      ({ data: found } = await service.request<Bisection>('POST', path, { body }));
    });
    let block = 0;
    const search = await timed(async () => (block = await binarySearch(node.url)));
    console.log(`${HEAD} blocks, upstream ${LATENCY_MS} ms away`);
    console.table({
      bisect: { ms: ms(ours), reads: found?.reads, block: found?.changes[0]?.blockNumber },
      'binary search': { ms: ms(search), reads: undefined, block },
    });
    console.log(`binary search / bisect: ${(search / ours).toFixed(1)}`);
  } finally {
    await service.stop();
    await node.close();
  }
}

void main();
