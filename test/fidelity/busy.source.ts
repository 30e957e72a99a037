import { BusyBlocks, busyAlloc } from './busy/block';
import { FORM, SEED } from './form';
import type { HardhatChain } from './hardhat-chain';
import { testRound } from './hardhat-round';
import { Random } from './random-programs/random';
import { HARDFORKS, type PlannedHardfork } from './reference/plan';
import type { Tally } from './tally';

const SOURCE = 'busy blocks of an EDR node';
const FORKS = 'forks inside busy blocks';

interface Round {
  hardfork: PlannedHardfork;
  seed: number;
  /** Number of transactions of each block. */
  sizes: readonly number[];
}

/** Includes seeds that once found a fault. */
const SHORT: readonly Round[] = [
  { hardfork: 'berlin', seed: 1, sizes: [20] },
  { hardfork: 'prague', seed: 2, sizes: [10, 30] },
];
const LONG: readonly Round[] = [
  ...SHORT,
  ...HARDFORKS.map((hardfork, i): Round => ({ hardfork, seed: 100 + i, sizes: [10, 60] })),
  { hardfork: 'prague', seed: 200, sizes: [200] },
];

/** Blocks of up to 200 transactions of all types, mined by Hardhat's node. */
export function busyBlocks(tally: Tally): void {
  const rounds = FORM === 'long' ? LONG : SHORT;
  for (const { hardfork, sizes, seed: own } of rounds) {
    const seed = SEED ?? own;
    describe(`${hardfork}, seed ${seed}, ${sizes.join(' and ')} transactions`, () => {
      const round = {
        source: SOURCE,
        name: `seed ${seed}`,
        hardfork,
        forks: { source: FORKS, seed },
        alloc: () => busyAlloc(hardfork),
        play: async (chain: HardhatChain) => {
          const blocks = new BusyBlocks(hardfork, new Random(seed));
          for (const size of sizes) await chain.mine(blocks.next(size));
        },
      };
      testRound(round, tally);
    });
  }
}
