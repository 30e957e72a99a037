import type { Work } from '../../async/slices';
import type { RecordedFrame } from '../recording';
import type { DebuggedTransaction } from './debugged-transaction';
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
    const frame = frames[uncaughtFrom(passed)];
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

/** The frame whose failure the transaction passes on. */
function uncaughtFrom(passed: ReadonlyMap<number, number>): number {
  let frame = 0;
  for (let call = passed.get(0); call !== undefined; call = passed.get(call)) frame = call;
  return frame;
}

const hasSteps = ({ firstStep, endStep }: RecordedFrame): boolean => endStep > firstStep;

/** Before Solidity 0.8, a failed assertion was an invalid instruction. */
const isPanic = ({ end }: RecordedFrame): boolean =>
  end?.kind === 'reverted'
    ? Buffer.compare(end.output.subarray(0, PANIC.length), PANIC) === 0
    : end?.reason === 'invalid opcode';
