import type {
  FramePoints,
  FramePointSource,
  MinedTransaction,
  Network,
} from '../../analysis/ports';
import { ApiError, type ApiErrorName } from '../../api/errors';
import type { Address } from '../../api/primitives';
import type { OnProgress } from '../../api/progress';
import { inSlices, STEPS_PER_YIELD, type Work } from '../../kernel/async/slices';
import type { Recording } from '../recording/recording';
import type { Recordings } from './recordings';

/** Jumps that are kept for a call that failed: generated code at the end of a call contains fewer. */
const JUMPS = 24;
const [JUMP, JUMPI] = [0x56, 0x57];
/** Transactions of these kinds cannot be recorded; a tracer may execute them. */
const UNRECORDED = new Set<ApiErrorName>([
  'recordingUnsupported',
  'recordingTooLarge',
  'upstreamLacksData',
]);

/** Reads the code positions of calls from recordings, which no node has to trace step by step. */
export class RecordedFramePoints implements FramePointSource {
  /** @param otherwise for what cannot be recorded */
  constructor(
    private readonly recordings: Pick<Recordings, 'open'>,
    private readonly otherwise: FramePointSource,
  ) {}

  async points(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<readonly FramePoints[]> {
    const { key: chain, user } = network;
    const { hash: transaction } = mined.transaction;
    const wanted = { chain, transaction, block: mined.block.hash };
    const key = { ...wanted, ...(user !== undefined && { user }) };
    const debugged = await this.recordings
      .open(key, { signal, onProgress })
      .catch(unlessUnrecorded);
    if (debugged === undefined) return this.otherwise.points(network, mined, signal, onProgress);
    const { recorded, recording } = debugged;
    if (recorded.verification.level !== 'different') {
      return inSlices(framePointsWork(recording), signal);
    }
    if (recorded.located.executed.isSimulated) {
      throw new ApiError(
        'upstreamLacksData',
        `the code locations of the calls of simulation ${transaction} are not available: its recording differs from what the engine executed`,
      );
    }
    return this.otherwise.points(network, mined, signal, onProgress);
  }
}

function unlessUnrecorded(error: unknown): undefined {
  if (!(error instanceof ApiError) || !UNRECORDED.has(error.kind)) throw error;
  return undefined;
}

/** The calls of a recording, in the order of execution. */
function* framePointsWork(recording: Recording): Work<FramePoints[]> {
  const jumps = yield* lastJumpsWork(recording);
  const points: FramePoints[] = [];
  for (const [index, frame] of recording.frames.entries()) {
    const { parent, context, firstStep, endStep } = frame;
    points.push({
      ...(parent !== undefined && {
        type: context.kind,
        to: context.codeAddress as Address,
        site: recording.at(firstStep - 1).pc,
      }),
      ...(endStep > firstStep && { end: recording.at(endStep - 1).pc }),
      jumps: jumps.get(index) ?? [],
    });
    yield 1;
  }
  return points;
}

/** Offsets of the last jumps of calls that failed, oldest first, by index of the frame. */
function* lastJumpsWork(recording: Recording): Work<Map<number, number[]>> {
  const { frames } = recording;
  const jumps = new Map<number, number[]>();
  let from = recording.steps;
  for (const [index, { end, firstStep }] of frames.entries()) {
    if (end === undefined || end.kind === 'returned') continue;
    jumps.set(index, []);
    from = Math.min(from, firstStep);
  }
  for (let step = recording.steps - 1; step >= from; step--) {
    const { pc, frame } = recording.at(step);
    const own = jumps.get(frame);
    const opcode = frames[frame]?.context.code[pc];
    if (own && own.length < JUMPS && (opcode === JUMP || opcode === JUMPI)) own.unshift(pc);
    if (step % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
  }
  return jumps;
}
