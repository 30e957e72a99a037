import assert from 'node:assert/strict';
import { hexlify } from 'ethers';
import { Recording } from '../../server/debugger/recording';
import { toWord } from '../../server/ethereum/quantity';
import { ADVERSARIAL_CASES } from './adversarial/cases';
import { appliesTo, planOf } from './adversarial/case';
import { inputsOf, type RecordedHardfork } from './machine-environment';
import { randomAlloc, randomCalls } from './random-programs/plan';
import { Random } from './random-programs/random';
import { ReferenceChain, type Executed, type PlayedBlock } from './reference/chain';
import type { Frame } from './reference/frames';
import { HARDFORKS } from './reference/plan';

interface Node {
  type: string;
  from: string;
  to: string;
  value: bigint;
  input: string;
  output: string;
  failed: boolean;
  calls: Node[];
}

/** The call tree of a recording. */
function treeOf({ frames }: Recording): Node {
  const nodes = frames.map(({ context, end }): Node => {
    const { kind, address, caller, codeAddress, value, code, input } = context;
    const isOwn = kind === 'DELEGATECALL' || kind === 'CALLCODE';
    return {
      type: kind,
      from: isOwn ? address : caller,
      to: codeAddress,
      value: kind === 'DELEGATECALL' ? 0n : value,
      input: hexlify(kind.startsWith('CREATE') ? code : input),
      output: hexlify(end!.output),
      failed: end!.kind !== 'returned',
      calls: [],
    };
  });
  for (const [index, { parent }] of frames.entries()) {
    if (parent !== undefined) nodes[parent]!.calls.push(nodes[index]!);
  }
  return nodes[0]!;
}

const expected = (frame: Frame): Node => ({
  type: frame.type,
  from: frame.from,
  to: frame.to,
  value: frame.type === 'DELEGATECALL' ? 0n : frame.value,
  input: frame.input,
  output: frame.output,
  failed: frame.error !== undefined,
  calls: frame.calls
    .filter(
      ({ error, type }) => error !== 'insufficient balance for transfer' && type !== 'SELFDESTRUCT',
    )
    .map(expected),
});

/** The frame of a failed creation names no account in the reference. */
const plain = ({ calls, ...node }: Node): object => ({
  ...node,
  ...(node.failed && node.type.startsWith('CREATE') ? { to: '' } : {}),
  calls: calls.map(plain),
});

function record(
  hardfork: RecordedHardfork,
  block: PlayedBlock,
  one: Executed,
  hashes: ReadonlyMap<bigint, bigint>,
): Recording {
  const { environment, prestate, floor } = inputsOf(hardfork, block, one, hashes);
  const recording = new Recording(environment, prestate);
  Array.from(recording.work());
  assert.deepEqual(plain(treeOf(recording)), plain(expected(one.root)));
  assert.equal(recording.gasUsed(floor), Number(one.gasUsed));
  assert.deepEqual(
    recording.emitted.map(({ address, topics, data }) => ({
      address,
      topics: topics.map((topic) => toWord(topic)),
      data: hexlify(data),
    })),
    one.logs,
  );
  for (const [address, { storage, code, nonce }] of one.after) {
    const account = recording.world.account(address);
    assert.equal(hexlify(account.code), code);
    assert.equal(account.nonce, nonce);
    for (const [slot, value] of storage) {
      assert.equal(recording.world.storage(address, BigInt(slot)), BigInt(value));
    }
  }
  return recording;
}

const hashesOf = (chain: ReferenceChain): ReadonlyMap<bigint, bigint> =>
  new Map(chain.blocks.map(({ context, hash }) => [context.number, BigInt(hash)]));

describe("the debugger's machine", function () {
  this.timeout(300_000);

  for (const hardfork of [...HARDFORKS, 'osaka'] as const) {
    it(`executes the adversarial blocks of ${hardfork} as the reference`, async () => {
      for (const one of ADVERSARIAL_CASES) {
        if (!appliesTo(one, hardfork)) continue;
        const chain = await ReferenceChain.play(planOf(one, hardfork));
        for (const block of chain.blocks) {
          for (const executed of block.transactions) {
            try {
              record(hardfork, block, executed, hashesOf(chain));
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
          steps += record(hardfork, block, executed, hashesOf(chain)).steps;
      }
      assert.ok(steps > 1_000, `${steps} steps`);
    });
  }
});
