import type { DebuggedTransaction } from './debugged-transaction';
import type { RecordedFrame } from '../recording';

const PANIC = Buffer.from('4e487b71', 'hex');

/**
 * The last step of each call that fails, ascending. A call that passes the failure of its last call on does not count.
 * @param which uncaught: failures that make the transaction fail; panic: failed assertions of the compiler or of the source
 */
export function failedSteps(
  { recording: { frames } }: DebuggedTransaction,
  which: 'uncaught' | 'all' | 'panic',
): number[] {
  const passedOn = new Set<RecordedFrame>();
  const lastChild = new Map<number, RecordedFrame>();
  for (const frame of frames) if (frame.parent !== undefined) lastChild.set(frame.parent, frame);
  for (const [index, child] of lastChild) {
    const parent = frames[index];
    if (parent && isPassedOn(parent, child)) passedOn.add(parent);
  }
  const isWanted = (frame: RecordedFrame): boolean => {
    if (which === 'panic') return isPanic(frame);
    return which === 'all' || isUncaught(frames, frame);
  };
  return frames
    .filter((frame) => hasFailed(frame) && frame.endStep > frame.firstStep)
    .filter((frame) => !passedOn.has(frame) && isWanted(frame))
    .map(({ endStep }) => endStep - 1)
    .sort((a, b) => a - b);
}

const hasFailed = ({ end }: RecordedFrame): boolean => end !== undefined && end.kind !== 'returned';

/** Solidity passes revert data on unchanged. A precompiled contract has no steps at which its own failure could be shown. */
const isPassedOn = ({ end }: RecordedFrame, child: RecordedFrame): boolean =>
  end?.kind === 'reverted' &&
  child.end?.kind === 'reverted' &&
  child.endStep > child.firstStep &&
  Buffer.compare(end.output, child.end.output) === 0;

/** Before Solidity 0.8, a failed assertion was an invalid instruction. */
const isPanic = ({ end }: RecordedFrame): boolean =>
  end?.kind === 'reverted'
    ? Buffer.compare(end.output.subarray(0, PANIC.length), PANIC) === 0
    : end?.reason === 'invalid opcode';

function isUncaught(frames: readonly RecordedFrame[], frame: RecordedFrame): boolean {
  for (let at: RecordedFrame | undefined = frame; at; at = frames[at.parent ?? -1]) {
    if (!hasFailed(at)) return false;
  }
  return true;
}
