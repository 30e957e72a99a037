import { ApiError } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import type { Hash } from '../../api/primitives';
import type { OnProgress } from '../../api/progress';
import type { Recording as RecordingAnswer } from '../../api/recording';
import { inSlices } from '../../kernel/async/slices';
import { withDeadline } from '../../kernel/async/with-deadline';
import { Recording, RecordingTooLarge } from '../recording/recording';
import type { Recorded } from '../session/debugged-transaction';
import type { ExecutionSource } from '../session/ports';
import { executedTest } from './executed-test';
import type { ForgeCheats } from './forge-cheats';
import { OtherExecution } from './forge-cheats';
import { UnknownForgeOutput, type NamedTest } from './forge-output';
import { forkedState, type ForkPoint } from './forked-state';
import type { StepLists } from './step-lists';
import { testNetwork } from './test-network';
import { outerCalls, RUNNER, testRun, type TestRun } from './test-run';
import {
  createdCodes,
  environmentOf,
  cheatsOf,
  firstState,
  outermost,
  stateBefore,
  withRunner,
  type TestState,
} from './test-state';

export interface ToRecord {
  readonly id: Hash;
  /** Name of the chain that recordings of tests are asked for with. */
  readonly chain: string;
  readonly named: NamedTest;
  readonly lists: StepLists;
  /** The chain that the test runs on a fork of. */
  readonly fork: ForkPoint | undefined;
  readonly user: string | undefined;
}

const ADVICE = 'debug a shorter test';
/** Which forge writes the form that is read. */
const TRIED = 'forge 1.5 was tried';

/**
 * Records a test, from the deployments to its end: for an invariant, with the sequence of calls before its check. Where what is before the
 * test cannot be executed as forge did, the last execution alone.
 * @throws ApiError `recordingTooLarge`, `recordingUnsupported`, `timedOut`; the signal's reason
 */
export async function recordTest(
  wanted: ToRecord,
  executions: Pick<ExecutionSource, 'identified'>,
  signal: AbortSignal,
  onProgress?: OnProgress,
): Promise<Recorded> {
  const { named, lists } = wanted;
  const { traces } = named.test;
  const calls = traces.at(-1)?.[1].arena ?? [];
  const isWritten = calls.some(({ trace }) => lists.count(trace.steps) > 0);
  if (!isWritten) {
    throw new ApiError(
      'recordingUnsupported',
      'the output of forge has no steps of the test: run forge test with --json -vvvvv',
    );
  }
  const timeoutMs = LIMITS.recordingTime;
  const limits = { signal, timeoutMs, what: 'the recording', advice: ADVICE };
  return withDeadline(limits, async (limited) => {
    const fork = wanted.fork && (await forkedState(wanted.fork, named, lists, limited));
    const start = firstState(named, lists, fork);
    const whole = { ...wanted, run: testRun(named, lists), state: start };
    try {
      return await execute(whole, executions, limited, onProgress);
    } catch (error) {
      limited.throwIfAborted();
      if (traces.length === 1 || !isOfExecution(error)) throw asApiError(error);
    }
    const state = await stateBefore(named, lists, fork, limited);
    const alone = { ...wanted, run: testRun(named, lists, 1), state };
    try {
      return await execute(alone, executions, limited, onProgress);
    } catch (error) {
      throw asApiError(error);
    }
  });
}

const isOfExecution = (error: unknown): boolean =>
  error instanceof OtherExecution || error instanceof RecordingTooLarge;

async function execute(
  {
    id,
    chain,
    named,
    lists,
    user,
    fork,
    run,
    state,
  }: ToRecord & { run: TestRun; state: TestState },
  executions: Pick<ExecutionSource, 'identified'>,
  signal: AbortSignal,
  onProgress: OnProgress | undefined,
): Promise<Recorded> {
  const cheats = cheatsOf(run, lists);
  const environment = environmentOf(run, state, cheats);
  const prestate = withRunner(state.prestate, run);
  const recording = new Recording(environment, prestate);
  const total = lists.total;
  await inSlices(recording.work(), signal, () => {
    onProgress?.({ stage: 'recording', done: Math.min(recording.steps, total), total });
  });
  const isRead = !fork && cheats.steps.readSlots > 0;
  const uncertain =
    state.uncertain ??
    differentEnd(recording, run) ??
    (isRead ? 'its contracts are those of a fork' : undefined);
  const known = { ...state, prestate, ...(uncertain !== undefined && { uncertain }) };
  const network = { ...testNetwork(`${chain}-${id}`, known, { named, fork }), user };
  const codes = createdCodes(named.test);
  codes.set(RUNNER, run.program.code);
  const executed = { ...executedTest(id, run.calls, state.block), overriddenCode: codes };
  const located = await executions.identified({ network, executed }, signal);
  const verification = verify(recording, cheats, run, uncertain);
  const point = { network, block: executed.mined.block, position: 0 };
  const inputs = { environment, prestate, floor: 0 };
  const firstFrame = outerFrames(recording).at(-1) ?? 0;
  const programs = [run.program];
  return { located, inputs, recording, verification, point, programs, firstFrame };
}

/** Indices of the frames of calls that forge made itself. */
const outerFrames = ({ frames }: Recording): number[] =>
  [...frames.keys()].filter((index) => frames[index]?.parent === 0);

/** Which execution before the last one ended in another way than in forge. */
function differentEnd(recording: Recording, run: TestRun): string | undefined {
  const frames = outerFrames(recording);
  const isOther = outerCalls(run)
    .slice(0, -1)
    .some(({ trace }, at) => {
      const end = recording.frames[frames[at] ?? -1]?.end;
      return (end?.kind === 'returned') !== trace.success;
    });
  return isOther ? 'deployment or setUp end in another way than in forge' : undefined;
}

/** Compares a recording with what forge wrote: every step, and how the test ended. */
function verify(
  recording: Recording,
  { steps }: ForgeCheats,
  run: TestRun,
  uncertain: string | undefined,
): RecordingAnswer['verification'] {
  const last = recording.frames[outerFrames(recording).at(-1) ?? -1];
  const succeeded = last?.end?.kind === 'returned';
  const { success } = outermost(run.calls).trace;
  const ends = (is: boolean): string => (is ? 'succeeds' : 'fails');
  const reason =
    steps.difference ??
    (succeeded === success
      ? undefined
      : `the recording ${ends(succeeded)}, and the test ${ends(success)}`);
  if (reason !== undefined) return { level: 'different', reason };
  if (uncertain === undefined) return { level: 'call-trace' };
  const warning = `State that the test does not read is not known: ${uncertain}.`;
  return { level: 'call-trace', warnings: [warning] };
}

/** An error as a client sees it. */
export function asApiError(error: unknown): unknown {
  if (error instanceof RecordingTooLarge) {
    return new ApiError('recordingTooLarge', `${error.message}: ${ADVICE}`);
  }
  if (error instanceof OtherExecution) {
    const message = `the test cannot be executed again as forge did: ${error.message}`;
    return new ApiError('recordingUnsupported', message);
  }
  if (error instanceof UnknownForgeOutput) {
    const message = `the file is not the output of forge test --json -vvvvv in a known form (${TRIED}): ${error.message}`;
    return new ApiError('recordingUnsupported', message);
  }
  return error;
}
