import { startService, type TestService } from '../support/service';
import { judgeTransaction } from './request-analyses';
import { judgeFork, positionsOf } from './fork-positions';
import { FORM } from './run-length';
import { HardhatChain } from './hardhat-chain';
import { eachOf } from './parallel';
import { Random } from './random-programs/random';
import { recordedOf, requirePlaces } from './recorded-steps';
import type { ChainPlan, PlannedHardfork } from './reference/plan';
import { report, type Tally } from './verdict-counts';

export interface HardhatRound {
  source: string;
  /** Prefix of the notes about transactions that are not right. */
  name: string;
  hardfork: PlannedHardfork;
  alloc: () => ChainPlan['alloc'];
  /** Mines the blocks. */
  play: (chain: HardhatChain) => Promise<void>;
  /** Forks at positions inside the blocks: their source in the table, and the seed of the positions. */
  forks?: { source: string; seed: number };
}

/** Tests that play a chain on Hardhat's node and judge the service's answers about each of its transactions, with and without debug API. */
export function testRound(
  { source, name, hardfork, alloc, play, forks }: HardhatRound,
  tally: Tally,
): void {
  let chain: HardhatChain | undefined;
  let service: TestService | undefined;
  before(async function () {
    this.timeout(240_000); // the chain plays blocks of up to 200 transactions
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

  it('steps of recordings have places, or their code says why not', async function () {
    this.timeout(1_200_000);
    const all = chain!.blocks.flatMap(({ transactions }) => transactions);
    await eachOf(recordedOf(all), ({ transaction }) =>
      requirePlaces(service!, slugOf(true), transaction.hash ?? ''),
    );
  });

  if (!forks) return;
  it('forks at positions of its blocks', async function () {
    this.timeout(1_200_000);
    const from = tally.notes.length;
    const random = new Random(forks.seed);
    const some = FORM === 'long' ? 8 : 2;
    const all = chain!.blocks.flatMap((block) =>
      positionsOf(block, random, some).map((position) => ({ block, position })),
    );
    await eachOf(all, async ({ block, position }) => {
      const state = await judgeFork(service!, slugOf(false), block, position);
      const which = `${name}, block ${block.context.number}, position ${position}`;
      tally.add({ source: forks.source, hardfork, debug: false }, which, { state });
    });
    report(tally, from);
  });
}

const slugOf = (debug: boolean): string => (debug ? 'debug' : 'plain');
