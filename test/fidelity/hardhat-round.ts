import { startService, type TestService } from '../support/service';
import { judgeTransaction } from './asking';
import { HardhatChain } from './hardhat-chain';
import { eachOf } from './parallel';
import type { ChainPlan, PlannedHardfork } from './reference/plan';
import { report, type Tally } from './tally';

export interface HardhatRound {
  source: string;
  /** Said of each transaction that is not right. */
  name: string;
  hardfork: PlannedHardfork;
  alloc: () => ChainPlan['alloc'];
  /** Mines the blocks. */
  play: (chain: HardhatChain) => Promise<void>;
}

/** Tests that play a chain on Hardhat's node and ask the service about every transaction of it, with and without debug API. */
export function testRound(
  { source, name, hardfork, alloc, play }: HardhatRound,
  tally: Tally,
): void {
  let chain: HardhatChain | undefined;
  let service: TestService | undefined;
  before(async function () {
    this.timeout(120_000);
    const node = await HardhatChain.start({ hardfork, alloc: alloc() });
    chain = node;
    await play(node);
    const chains = await Promise.all(
      [false, true].map(async (debug) => ({
        slug: slugOf(debug),
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
        const judged = await judgeTransaction(service!, slugOf(debug), executed, context.coinbase);
        const which = `${name}, block ${context.number}, transaction ${executed.index}`;
        tally.add({ source, hardfork, debug }, which, judged);
      });
      report(tally, from);
    });
  }
}

const slugOf = (debug: boolean): string => (debug ? 'debug' : 'plain');
