import type { Work } from '../../kernel/async/slices';
import { toIndex } from '../../evm/interpreter/execution';
import { offsetsIn } from '../recording/instruction-offsets';
import type { RecordedFrame, Recording } from '../recording/recording';

const [RETURNDATACOPY, REVERT] = [0x3e, 0xfd];
const PAUSE_STEPS = 4_096;
/** Instructions from a failed call to the failure of its caller, in code that cannot read revert data. */
const MAX_CHECK = 16;

/**
 * The callers that only pass on the failure of a call, each with that call, by index of the frame: they revert with its data in the memory to
 * which they copied them. A caller that reverts with equal data of its own has caught the failure.
 */
export function* passedFailuresWork(recording: Recording): Work<ReadonlyMap<number, number>> {
  const { frames } = recording;
  const lastCalls = new Map<number, number>();
  for (const [index, { parent, firstStep, endStep }] of frames.entries()) {
    // A precompiled contract has no steps at which its own failure could be shown.
    if (parent !== undefined && endStep > firstStep) lastCalls.set(parent, index);
  }
  const found = new Map<number, number>();
  for (const [caller, call] of lastCalls) {
    const [from, to] = [frames[caller], frames[call]];
    if (!from || !to || !hasFailed(from) || !hasFailed(to)) continue;
    if (yield* passesOn(recording, from, to)) found.set(caller, call);
  }
  return found;
}

export const hasFailed = ({ end }: RecordedFrame): boolean =>
  end !== undefined && end.kind !== 'returned';

function* passesOn(recording: Recording, from: RecordedFrame, to: RecordedFrame): Work<boolean> {
  const { code } = from.context;
  const [output, data] = [from.end?.output, to.end?.output];
  if (!output || !data) return false;
  if (!readsRevertData(code)) {
    return output.length === 0 && from.endStep - to.endStep <= MAX_CHECK;
  }
  const last = from.endStep - 1;
  const isSame = Buffer.compare(output, data) === 0;
  if (!isSame || code[recording.at(last).pc] !== REVERT) return false;
  for (let step = last - 1; step >= to.endStep; step--) {
    if (step % PAUSE_STEPS === 0) yield PAUSE_STEPS;
    if (code[recording.at(step).pc] !== RETURNDATACOPY) continue;
    const [target, source, size] = yield* argumentsAt(recording, step, 3);
    const [reverted, length] = yield* argumentsAt(recording, last, 2);
    const isWhole = source === 0 && size === data.length;
    return isWhole && target === reverted && length === size;
  }
  return false;
}

/** The topmost words of the stack, the top first. */
function* argumentsAt(recording: Recording, step: number, count: number): Work<number[]> {
  const { frames } = yield* recording.stateWork(step);
  return (frames.at(-1)?.stack ?? []).slice(-count).reverse().map(toIndex);
}

/** Code from before the Byzantium hardfork cannot read the data of a failure, and fails without any. */
const readsRevertData = (code: Uint8Array): boolean =>
  offsetsIn(code).some((offset) => code[offset] === RETURNDATACOPY);
