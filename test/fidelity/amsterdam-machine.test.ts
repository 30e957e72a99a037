import assert from 'node:assert/strict';
import { Recording } from '../../server/debugger/recording/recording';
import { AMSTERDAM_CASES } from './adversarial/amsterdam-cases';
import { BOB, contract, planOf, word, type AdversarialCase } from './adversarial/case';
import { CREATIONS } from './amsterdam-programs/creations';
import { DELEGATIONS } from './amsterdam-programs/delegations';
import { OTHERS } from './amsterdam-programs/others';
import { STATE_GAS } from './amsterdam-programs/state-gas';
import { at, callOf } from './assembler';
import { hashesOf, recordAsReference } from './compare-recording';
import { inputsOf } from './machine-environment';
import { randomAlloc, randomTransactions } from './random-programs/plan';
import { Random } from './random-programs/random';
import { ReferenceChain } from './reference/chain';

const PROGRAMS = [...STATE_GAS, ...CREATIONS, ...DELEGATIONS, ...OTHERS];
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

  for (const { name, accounts = {}, sent, ends } of PROGRAMS) {
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

  /** @returns the recording, and the gas that the reference takes */
  async function recorded(
    accounts: AdversarialCase['accounts'],
    gasLimit: number,
  ): Promise<{ recording: Recording; floor: number; reference: bigint }> {
    const plan = planOf({ name: '', accounts, blocks: [], nets: {} }, 'amsterdam');
    const chain = await ReferenceChain.start(plan);
    await chain.add({ transactions: [] });
    const transaction = { to: at('x'), gasLimit };
    const block = await chain.add({ transactions: [{ wallet: BOB, transaction }] });
    const [one] = block.transactions;
    const inputs = inputsOf('amsterdam', block, one!, hashesOf(chain));
    const recording = new Recording(inputs.environment, inputs.prestate);
    Array.from(recording.work());
    return { recording, floor: inputs.floor, reference: one!.gasUsed };
  }

  // EIP-8037: only the gas for execution is consumed. The reference takes that of the reservoir as well after such a call.
  it('leaves the reservoir after a call without enough gas for an account, and a failure', async () => {
    const accounts = {
      [at('r')]: callOf(at('new'), 4),
      [at('x')]: contract(`${callOf(at('r'), 0, '100000')} 1 0xffffffffff mstore`),
    };
    const { recording, floor, reference } = await recorded(accounts, 2 ** 24 + 1_000);
    assert.equal(recording.gasUsed(floor), 2 ** 24);
    assert.equal(reference, 2n ** 24n + 1_000n);
  });

  // EIP-8037: the account is paid for before all but a 64th of the gas is given. The reference gives a part of what is not left.
  it('pays for an account before it gives gas to a call', async () => {
    const accounts = { [at('x')]: contract(callOf(word(9), 4)) };
    const { recording, floor, reference } = await recorded(accounts, 400_000);
    assert.equal(recording.end?.kind, 'returned');
    const before = 400_000 - 15_000 - 20 - 100 - 11_300;
    const left = Math.floor((before - 183_600) / 64) + 183_600;
    assert.equal(recording.gasUsed(floor), 400_000 - left);
    assert.equal(reference, 400_000n);
  });

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
