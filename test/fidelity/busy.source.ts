import { startService, type TestService } from '../support/service';
import { judgeTransaction } from './asking';
import { BusyBlocks, busyAlloc } from './busy/block';
import { FORM, SEED } from './form';
import { HardhatChain } from './hardhat-chain';
import { eachOf } from './parallel';
import { Random } from './random';
import { HARDFORKS, type PlannedHardfork } from './reference/plan';
import { report, type Tally } from './tally';

const SOURCE = 'busy blocks of an EDR node';

interface Round {
  hardfork: PlannedHardfork;
  seed: number;
  /** Transactions of each block. */
  sizes: readonly number[];
}

/** Seeds that once found a fault stay here. */
const SHORT: readonly Round[] = [
  { hardfork: 'berlin', seed: 1, sizes: [20] },
  { hardfork: 'prague', seed: 2, sizes: [10, 30] },
];
const LONG: readonly Round[] = [
  ...SHORT,
  ...HARDFORKS.map((hardfork, i): Round => ({ hardfork, seed: 100 + i, sizes: [10, 60] })),
  { hardfork: 'prague', seed: 200, sizes: [200] },
];

/** Blocks of up to 200 transactions of all types that Hardhat's node has mined. */
export function busyBlocks(tally: Tally): void {
  const rounds = FORM === 'long' ? LONG : SHORT;
  for (const { hardfork, sizes, seed: own } of rounds) {
    const seed = SEED ?? own;
    describe(`${hardfork}, seed ${seed}, ${sizes.join(' and ')} transactions`, () => {
      let chain: HardhatChain | undefined;
      let service: TestService | undefined;
      before(async function () {
        this.timeout(120_000);
        const node = await HardhatChain.start({ hardfork, alloc: busyAlloc(hardfork) });
        chain = node;
        const blocks = new BusyBlocks(hardfork, new Random(seed));
        for (const size of sizes) await node.mine(blocks.next(size));
        const chains = await Promise.all(
          [false, true].map(async (debug) => ({
            slug: debug ? 'debug' : 'plain',
            chainId: 1,
            rpcUrls: [await node.serve(debug)],
            nativeSymbol: 'ETH',
            hardfork,
          })),
        );
        service = await startService({ config: { chains, prices: { source: 'none' } } });
      });
      after(async () => {
        await service?.stop();
        await chain?.close();
      });

      for (const debug of [false, true]) {
        it(`${debug ? 'with' : 'without'} debug API`, async function () {
          this.timeout(1_200_000);
          const from = tally.notes.length;
          const all = chain!.blocks.flatMap(({ transactions, context }) =>
            transactions.map((executed) => ({ executed, context })),
          );
          await eachOf(all, async ({ executed, context }) => {
            const slug = debug ? 'debug' : 'plain';
            const judged = await judgeTransaction(service!, slug, executed, context.coinbase);
            const name = `seed ${seed}, block ${context.number}, transaction ${executed.index}`;
            tally.add({ source: SOURCE, hardfork, debug }, name, judged);
          });
          report(tally, from);
        });
      }
    });
  }
}
