import assert from 'node:assert/strict';
import { type Recording, RecordingTooLarge } from '../../../server/debugger/recording/recording';
import { assemble } from '../../fidelity/assembler';
import { CALLER, recordCall } from './record';

const CALLEE = `0x${'c2'.repeat(20)}`;

const bytes = (program: string): Uint8Array => Buffer.from(assemble(program).slice(2), 'hex');

/** Records a call of `CALLER`. @param programs code by address */
const record = (programs: Readonly<Record<string, string>>, gas?: number): Recording =>
  recordCall(
    Object.fromEntries(Object.entries(programs).map(([at, program]) => [at, bytes(program)])),
    gas === undefined ? {} : { gas },
  );

/** Everything of a machine that a step can change. */
const stateOf = (recording: Recording, step: number): object => {
  const { frames, world, steps } = recording.stateAt(step);
  return {
    steps,
    frames: frames.map(({ index, pc, gas, stack, memory, returned }) => ({
      index,
      pc,
      gas,
      stack,
      returned: [...returned],
      memory: [...memory.read(0, memory.size)],
    })),
    slots: [0n, 1n].map((slot) => [world.storage(CALLEE, slot), world.transient(CALLEE, slot)]),
    refund: world.refund,
    logs: world.logs.length,
  };
};

describe('a recording of a transaction with authorizations', function () {
  this.timeout(60_000);
  /** Reads the balance of another account, and what gas is left. */
  const spentFor = (code: Uint8Array | undefined): number => {
    const program = { [CALLER]: bytes(`${CALLEE} balance pop stop`) };
    const delegations = [{ authority: CALLEE, code }];
    return recordCall(program, { delegations }).spent;
  };
  const ACCOUNT_ACCESS = 2_600 - 100;

  it('finds their accounts warm, also if one takes no effect (EIP-7702, step 4)', () => {
    const program = { [CALLER]: bytes(`${CALLEE} balance pop stop`) };
    const cold = recordCall(program).spent;
    assert.equal(cold - spentFor(bytes('stop')), ACCOUNT_ACCESS);
    assert.equal(cold - spentFor(undefined), ACCOUNT_ACCESS);
  });

  it('changes nothing else for one that takes no effect', () => {
    const recording = recordCall(
      { [CALLER]: bytes('stop') },
      { delegations: [{ authority: CALLEE, code: undefined }] },
    );
    const { nonce, code } = recording.stateAt(0).world.account(CALLEE);
    assert.deepEqual([nonce, code.length, recording.stateAt(0).world.refund], [0, 0, 0]);
  });
});

describe('a recording', function () {
  this.timeout(60_000);
  /** Calls a contract twice; the first call succeeds, the second one reverts. */
  const PROGRAMS = {
    [CALLER]: `
      0 0 0 0 0 ${CALLEE} gas call pop
      1 0 mstore 0 0 32 0 0 ${CALLEE} gas call pop stop`,
    [CALLEE]: `
      5 0 sstore 6 1 tstore 9 0 0 log1
      calldatasize @fails jumpi stop
      :fails 0 0 sstore 32 0 revert`,
  };
  const recording = record(PROGRAMS);

  it('has the frames of all calls, with the steps of each', () => {
    assert.deepEqual(
      recording.frames.map(({ parent, firstStep, endStep, context, end }) => [
        parent,
        firstStep,
        endStep,
        context.address,
        end?.kind,
      ]),
      [
        [undefined, 0, 56, CALLER, 'returned'],
        [0, 8, 22, CALLEE, 'returned'],
        [0, 34, 54, CALLEE, 'reverted'],
      ],
    );
  });

  it('has every write to storage with the value before it, also where it was reverted', () => {
    assert.deepEqual(
      recording.stores.map(({ frame, slot, before, after, isTransient }) => [
        frame,
        slot,
        before,
        after,
        isTransient,
      ]),
      [
        [1, 0n, 0n, 5n, false],
        [1, 1n, 0n, 6n, true],
        [2, 0n, 5n, 5n, false],
        [2, 1n, 6n, 6n, true],
        [2, 0n, 5n, 0n, false],
      ],
    );
    const { step } = recording.stores[4]!;
    assert.deepEqual(
      [step, step + 1].map((at) => recording.stateAt(at).world.storage(CALLEE, 0n)),
      [5n, 0n],
    );
    assert.equal(recording.world.storage(CALLEE, 0n), 5n);
  });

  it('has every log; those of reverted calls are not emitted', () => {
    assert.deepEqual(
      recording.logs.map(({ frame, topics }) => [frame, topics]),
      [
        [1, [9n]],
        [2, [9n]],
      ],
    );
    assert.equal(recording.emitted.length, 1);
  });

  it('answers the state of any step as it was when the step was recorded', () => {
    for (let step = 0; step < recording.steps; step++) {
      const machine = recording.stateAt(step);
      const { pc, gas, index } = machine.frames.at(-1)!;
      assert.deepEqual({ pc, gas, frame: index }, recording.at(step));
    }
  });

  it('has the same states whether they are reached forwards or backwards', () => {
    const steps = Array.from({ length: recording.steps }, (_, step) => step);
    const forwards = steps.map((step) => stateOf(recording, step));
    const backwards = [...steps].reverse().map((step) => stateOf(recording, step));
    assert.deepEqual(backwards.reverse(), forwards);
  });

  it('crosses checkpoints: a loop of 100,000 steps', () => {
    const loop = record(
      { [CALLER]: '10000 :loop 1 swap1 sub dup1 0 mstore dup1 @loop jumpi stop' },
      10_000_000,
    );
    assert.equal(loop.steps, 100_002);
    for (const step of [0, 1, 4_095, 4_096, 4_097, 45_000, 100_001]) {
      const [frame] = loop.stateAt(step).frames;
      const { pc, gas } = loop.at(step);
      assert.deepEqual([frame!.pc, frame!.gas], [pc, gas]);
    }
    const [last] = loop.stateAt(100_001).frames;
    assert.deepEqual(last!.stack, [0n]);
  });

  it('pauses after a few instructions that work long', function () {
    this.timeout(60_000); // 20 MB are hashed in JavaScript
    const program = '100 :loop 100000 0 keccak256 pop 1 swap1 sub dup1 @loop jumpi stop';
    const long = record({ [CALLER]: program }, 10_000_000);
    const pauses = [...long.stateWork(long.steps - 1)];
    assert.ok(pauses.length >= 15, `${pauses.length} pauses`);
    assert.ok(pauses.every((steps) => steps < 100));
  });

  it('refuses steps that it does not have', () => {
    for (const step of [-1, 0.5, recording.steps, NaN]) {
      assert.throws(() => recording.stateAt(step), {
        name: 'RangeError',
        message: `the step is ${step}; the recording has steps 0 to ${recording.steps - 1}`,
      });
    }
  });

  it('ends with an error beyond 2,000,000 steps', () => {
    const endless = { [CALLER]: ':loop @loop jump' };
    assert.throws(() => record(endless, 30_000_000), RecordingTooLarge);
  });

  for (const [what, program, reason] of [
    ['out of gas', ':loop @loop jump', 'out of gas'],
    ['a stack underflow', 'add', 'stack underflow'],
    ['an invalid jump', '3 jump', 'invalid jump'],
    ['an invalid opcode', 'invalid', 'invalid opcode'],
    ['return data out of bounds', '1 0 0 returndatacopy', 'return data out of bounds'],
  ] as const) {
    it(`ends with ${what}`, () => {
      const { end, frames } = record({ [CALLER]: program }, 25_000);
      assert.deepEqual([end?.kind, end?.reason, frames.length], ['halted', reason, 1]);
    });
  }
});
