import { FORM, SEED } from './form';
import type { HardhatChain } from './hardhat-chain';
import { testRound } from './hardhat-round';
import { randomAlloc, randomCalls } from './random-programs/plan';
import { Random } from './random-programs/random';
import type { PlannedHardfork } from './reference/plan';
import type { Tally } from './tally';

const SOURCE = 'random programs';

interface Round {
  hardfork: PlannedHardfork;
  seed: number;
  /** Number of blocks, and of calls in each. */
  blocks: number;
  calls: number;
}

/** The short form includes seeds that once found a fault. */
const SHORT: readonly Round[] = [
  { hardfork: 'prague', seed: 1, blocks: 4, calls: 8 },
  { hardfork: 'berlin', seed: 2, blocks: 2, calls: 8 },
];
const LONG: readonly Round[] = [
  ...SHORT,
  ...(['london', 'paris', 'shanghai', 'cancun'] as const).map((hardfork, i) => ({
    hardfork,
    seed: 10 + i,
    blocks: 5,
    calls: 10,
  })),
  { hardfork: 'prague', seed: 20, blocks: 12, calls: 12 },
];

/**
 * Random programs. EDR and the reference first execute each call, and have to agree on status, gas, logs and state. Then the service
 * answers, whose engine is the third EVM.
 */
export function randomPrograms(tally: Tally): void {
  for (const { hardfork, blocks, calls, seed: own } of FORM === 'long' ? LONG : SHORT) {
    const seed = SEED ?? own;
    describe(`${hardfork}, seed ${seed}, ${blocks} blocks of ${calls}`, () => {
      const random = new Random(seed);
      const round = {
        source: SOURCE,
        name: `seed ${seed}`,
        hardfork,
        alloc: () => randomAlloc(random, hardfork),
        play: async (chain: HardhatChain) => {
          const nonces = new Map<string, number>();
          for (let i = 0; i < blocks; i++) await chain.mine(randomCalls(random, calls, nonces));
        },
      };
      testRound(round, tally);
    });
  }
}
