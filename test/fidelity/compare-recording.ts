import assert from 'node:assert/strict';
import { hexlify } from 'ethers';
import { Recording } from '../../server/debugger/recording/recording';
import { toWord } from '../../server/evm/forms/quantity';
import { inputsOf } from './machine-environment';
import type { Executed, PlayedBlock, ReferenceChain } from './reference/chain';
import type { Frame } from './reference/frames';
import { isSince, type PlannedHardfork } from './reference/plan';
import type { ReferenceStep } from './reference/steps';

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
function treeOf({ frames, environment }: Recording): Node {
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
  const isAmsterdam = isSince(environment.hardfork as PlannedHardfork, 'amsterdam');
  for (const [index, { parent, end }] of frames.entries()) {
    // The reference begins no frame at an address in use since Amsterdam.
    if (isAmsterdam && end?.reason === 'address collision') continue;
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

/** Records a transaction that the reference executed. @throws AssertionError where they differ: calls, gas, logs, state, and steps if the reference has them */
export function recordAsReference(
  hardfork: PlannedHardfork,
  block: PlayedBlock,
  one: Executed,
  hashes: ReadonlyMap<bigint, bigint>,
): Recording {
  const { environment, prestate, floor } = inputsOf(hardfork, block, one, hashes);
  const recording = new Recording(environment, prestate);
  Array.from(recording.work());
  if (one.steps.length > 0) requireSteps(recording, one.steps);
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
  requireState(recording, block, one);
  return recording;
}

function requireState({ world }: Recording, { context }: PlayedBlock, one: Executed): void {
  const payers = [one.transaction.from!.toLowerCase(), context.coinbase];
  for (const [address, { storage, code, nonce, balance }] of one.after) {
    const account = world.account(address);
    // What is destroyed is cleared at the end of the transaction.
    const isCleared = world.destroyed.has(address);
    assert.equal(isCleared ? '0x' : hexlify(account.code), code);
    assert.equal(isCleared ? 0 : account.nonce, nonce);
    if (!payers.includes(address)) assert.equal(account.balance, balance, address);
    for (const [slot, value] of storage) {
      assert.equal(world.storage(address, BigInt(slot)), BigInt(value));
    }
  }
}

function requireSteps(recording: Recording, steps: readonly ReferenceStep[]): void {
  const own: number[] = [];
  for (let step = 0; step < recording.steps; step++) {
    const { frame, pc } = recording.at(step);
    // The reference does not list the STOP after the end of a code.
    if (pc < recording.frames[frame]!.context.code.length) own.push(step);
  }
  for (const [index, wanted] of steps.entries()) {
    const step = own[index];
    assert.ok(step !== undefined, `step ${index} of ${steps.length} is missing: ${wanted.op}`);
    const machine = recording.stateAt(step);
    const frame = machine.frames.at(-1)!;
    const { memory, stack, context } = frame;
    const found: ReferenceStep = {
      pc: frame.pc,
      op: wanted.op,
      depth: context.depth,
      gas: frame.gas,
      refund: machine.world.refund,
      stack: [...stack],
      memory: Buffer.from(memory.read(0, memory.size)).toString('hex'),
      ...(wanted.slot === undefined
        ? {}
        : { slot: machine.world.storage(context.address, stack.at(-1)!) }),
    };
    assert.deepEqual(found, wanted, `step ${index} of ${steps.length}`);
    assert.deepEqual(recording.at(step), { pc: wanted.pc, frame: frame.index, gas: wanted.gas });
  }
  assert.equal(own.length, steps.length);
}

export const hashesOf = (chain: ReferenceChain): ReadonlyMap<bigint, bigint> =>
  new Map(chain.blocks.map(({ context, hash }) => [context.number, BigInt(hash)]));
