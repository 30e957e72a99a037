import assert from 'node:assert/strict';
import { AMSTERDAM_CASES } from './adversarial/amsterdam-cases';
import { planOf } from './adversarial/case';
import { AMSTERDAM_PROGRAMS } from './amsterdam-programs';
import { hashesOf, recordAsReference } from './compare-recording';
import { randomAlloc, randomTransactions } from './random-programs/plan';
import { Random } from './random-programs/random';
import { ReferenceChain } from './reference/chain';

const GENERATED = 240;
const IN_BLOCK = 8;
/** Too little for what is new, enough for some of it, and more than the limit of execution gas (EIP-8037). */
const GAS_LIMITS = [60_000, 250_000, 600_000, 2_000_000, 17_200_000];

describe("the debugger's machine by the rules of Amsterdam, compared at each step", function () {
  this.timeout(300_000);

  for (const one of AMSTERDAM_CASES) {
    it(`executes: ${one.name}`, async () => {
      const plan = planOf(one, 'amsterdam');
      const chain = await ReferenceChain.start(plan);
      chain.recordsSteps = true;
      await chain.add({ transactions: [] });
      for (const planned of plan.blocks) {
        const block = await chain.add(planned);
        for (const executed of block.transactions) {
          recordAsReference('amsterdam', block, executed, hashesOf(chain));
        }
      }
    });
  }

  for (const { name, accounts = {}, sent, ends } of AMSTERDAM_PROGRAMS) {
    it(`executes: ${name}`, async () => {
      const blocks = [{ transactions: sent }];
      const chain = await ReferenceChain.start(
        planOf({ name, accounts, blocks, nets: {} }, 'amsterdam'),
      );
      chain.recordsSteps = true;
      await chain.add({ transactions: [] });
      const transactions = sent.map(([wallet, transaction]) => ({ wallet, transaction }));
      const block = await chain.add({ transactions });
      const [last] = block.transactions
        .map((executed) => recordAsReference('amsterdam', block, executed, hashesOf(chain)))
        .slice(-1);
      const { kind, reason } = last!.end!;
      assert.equal(kind === 'halted' ? reason : kind, ends);
    });
  }

  it('executes generated transactions', async () => {
    const random = new Random(11);
    const alloc = randomAlloc(random, 'amsterdam');
    const chain = await ReferenceChain.start({ hardfork: 'amsterdam', alloc });
    chain.recordsSteps = true;
    await chain.add({ transactions: [] });
    const nonces = new Map<string, number>();
    let steps = 0;
    for (let i = 0; i < GENERATED / IN_BLOCK; i++) {
      const transactions = randomTransactions(random, IN_BLOCK, nonces, GAS_LIMITS);
      const block = await chain.add({ transactions });
      for (const executed of block.transactions) {
        try {
          steps += recordAsReference('amsterdam', block, executed, hashesOf(chain)).steps;
        } catch (error) {
          const { index } = executed;
          const place = `transaction ${index} of block ${i + 1}`;
          throw new Error(`${place}: ${(error as Error).message}`, { cause: error });
        }
      }
    }
    assert.ok(steps > 5_000, `${steps} steps`);
  });
});
