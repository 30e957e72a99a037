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
import { UnknownForgeOutput, type ForgeCalls, type ForgeTest } from './forge-output';
import type { StepLists } from './step-lists';
import { testNetwork } from './test-network';
import {
  createdCodes,
  environmentOf,
  cheatsOf,
  outermost,
  stateBefore,
  type TestState,
} from './test-state';

export interface ToRecord {
  readonly id: Hash;
  /** Name of the chain that recordings of tests are asked for with. */
  readonly chain: string;
  readonly test: ForgeTest;
  readonly lists: StepLists;
  readonly user: string | undefined;
}

const ADVICE = 'debug a shorter test';
/** Which forge writes the form that is read. */
const TRIED = 'forge 1.5 was tried';

/**
 * Records the last execution of a test: for an invariant, its check after the sequence of calls.
 * @throws ApiError `recordingTooLarge`, `recordingUnsupported`, `timedOut`; the signal's reason
 */
export async function recordTest(
  wanted: ToRecord,
  executions: Pick<ExecutionSource, 'identified'>,
  signal: AbortSignal,
  onProgress?: OnProgress,
): Promise<Recorded> {
  const { test, lists } = wanted;
  const calls = test.traces.at(-1)?.[1].arena ?? [];
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
    const state = await stateBefore(test, lists, limited);
    return execute({ ...wanted, calls, state }, executions, limited, onProgress);
  });
}

async function execute(
  {
    id,
    chain,
    test,
    lists,
    user,
    calls,
    state,
  }: ToRecord & { calls: ForgeCalls; state: TestState },
  executions: Pick<ExecutionSource, 'identified'>,
  signal: AbortSignal,
  onProgress: OnProgress | undefined,
): Promise<Recorded> {
  const cheats = cheatsOf(calls, lists);
  const environment = environmentOf(calls, state.block, cheats);
  const recording = new Recording(environment, state.prestate);
  const total = lists.total;
  try {
    await inSlices(recording.work(), signal, () => {
      onProgress?.({ stage: 'recording', done: Math.min(recording.steps, total), total });
    });
  } catch (error) {
    throw asApiError(error);
  }
  const isRead = cheats.steps.readSlots > 0;
  const uncertain = state.uncertain ?? (isRead ? 'its contracts are those of a fork' : undefined);
  const known = { ...state, ...(uncertain !== undefined && { uncertain }) };
  const network = { ...testNetwork(`${chain}-${id}`, known), user };
  const executed = {
    ...executedTest(id, calls, state.block),
    overriddenCode: createdCodes(test),
  };
  const located = await executions.identified({ network, executed }, signal);
  const verification = verify(recording, cheats, calls, uncertain);
  const point = { network, block: executed.mined.block, position: 0 };
  const inputs = { environment, prestate: state.prestate, floor: 0 };
  return { located, inputs, recording, verification, point };
}

/** Compares a recording with what forge wrote: every step, and how the test ended. */
function verify(
  recording: Recording,
  { steps }: ForgeCheats,
  calls: ForgeCalls,
  uncertain: string | undefined,
): RecordingAnswer['verification'] {
  const succeeded = recording.end?.kind === 'returned';
  const { success } = outermost(calls).trace;
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
