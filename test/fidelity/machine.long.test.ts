import assert from 'node:assert/strict';
import { ADVERSARIAL_CASES } from './adversarial/cases';
import { appliesTo, planOf } from './adversarial/case';
import { hashesOf, recordAsReference } from './compare-recording';
import { randomAlloc, randomCalls } from './random-programs/plan';
import { Random } from './random-programs/random';
import { ReferenceChain } from './reference/chain';
import { ALL_HARDFORKS } from './reference/plan';

describe("the debugger's machine", function () {
  this.timeout(300_000);

  for (const hardfork of ALL_HARDFORKS) {
    it(`executes the adversarial blocks of ${hardfork} as the reference`, async () => {
      for (const one of ADVERSARIAL_CASES) {
        if (!appliesTo(one, hardfork)) continue;
        const chain = await ReferenceChain.play(planOf(one, hardfork));
        for (const block of chain.blocks) {
          for (const executed of block.transactions) {
            try {
              recordAsReference(hardfork, block, executed, hashesOf(chain));
            } catch (error) {
              throw new Error(
                `${one.name}, transaction ${executed.index}: ${(error as Error).message}`,
                { cause: error },
              );
            }
          }
        }
      }
    });

    it(`executes random programs of ${hardfork} as the reference`, async () => {
      const random = new Random(7);
      const chain = await ReferenceChain.start({ hardfork, alloc: randomAlloc(random, hardfork) });
      await chain.add({ transactions: [] });
      const nonces = new Map<string, number>();
      let steps = 0;
      for (let i = 0; i < 12; i++) {
        const block = await chain.add({ transactions: randomCalls(random, 8, nonces) });
        for (const executed of block.transactions)
          steps += recordAsReference(hardfork, block, executed, hashesOf(chain)).steps;
      }
      assert.ok(steps > 1_000, `${steps} steps`);
    });
  }
});
