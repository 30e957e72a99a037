import type { Work } from '../../kernel/async/slices';
import type { RecordedFrame } from '../recording/recording';
import type { DebuggedTransaction } from './debugged-transaction';
import { checkedCall } from './checked-calls';
import { hasFailed, passedFailuresWork } from './passed-failures';

const PANIC = Buffer.from('4e487b71', 'hex');
const passedOf = new WeakMap<DebuggedTransaction, ReadonlyMap<number, number>>();

/**
 * The last step of each call that fails, ascending. A call that passes on the revert of its last call does not count; one that reverts because
 * its last call halted does.
 * @param which uncaught: the failure that makes the transaction fail; panic: failed assertions of the compiler or of the source
 */
export function* failedStepsWork(
  debugged: DebuggedTransaction,
  which: 'uncaught' | 'all' | 'panic',
): Work<number[]> {
  const { recording } = debugged;
  const { frames } = recording;
  const passed = passedOf.get(debugged) ?? (yield* passedFailuresWork(recording));
  passedOf.set(debugged, passed);
  if (which === 'uncaught') {
    const frame = frames[uncaughtFrom(debugged, passed)];
    return frame && hasFailed(frame) && hasSteps(frame) ? [frame.endStep - 1] : [];
  }
  const isOwn = (caller: number): boolean =>
    frames[passed.get(caller) ?? -1]?.end?.kind !== 'reverted';
  return frames
    .filter((frame, index) => hasFailed(frame) && hasSteps(frame) && isOwn(index))
    .filter((frame) => which === 'all' || isPanic(frame))
    .map(({ endStep }) => endStep - 1)
    .sort((a, b) => a - b);
}

/** The frame whose failure the transaction passes on, or fails for. */
function uncaughtFrom(debugged: DebuggedTransaction, passed: ReadonlyMap<number, number>): number {
  for (let frame = 0; ;) {
    const call = passed.get(frame) ?? checkedCall(debugged, frame);
    if (call === undefined) return frame;
    frame = call;
  }
}

const hasSteps = ({ firstStep, endStep }: RecordedFrame): boolean => endStep > firstStep;

/** Before Solidity 0.8, a failed assertion was an invalid instruction. */
const isPanic = ({ end }: RecordedFrame): boolean =>
  end?.kind === 'reverted'
    ? Buffer.compare(end.output.subarray(0, PANIC.length), PANIC) === 0
    : end?.reason === 'invalid opcode';
