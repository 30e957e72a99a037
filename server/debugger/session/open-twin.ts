import { LIMITS } from '../../api/limits';
import type { OnProgress } from '../../api/progress';
import { withDeadline } from '../../kernel/async/with-deadline';
import type { ProgramSource } from '../../contracts/sources/program-source';
import { DebuggedTransaction } from './debugged-transaction';
import { twinOf } from './twin-of';

/**
 * Executes a recorded transaction in unoptimized builds of its codes.
 * @returns the given one with reasons, where no build has the same effects
 * @throws ApiError `timedOut`; the signal's reason
 */
export async function openTwin(
  executed: DebuggedTransaction,
  programs: ProgramSource,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<DebuggedTransaction> {
  const timeoutMs = LIMITS.recordingTime;
  const advice = 'debug the executed build';
  const limits = { signal, timeoutMs, what: 'the unoptimized build', advice };
  return withDeadline(limits, async (limited) => {
    const { steps: total } = executed.recording;
    const { twin, report, builds } = await twinOf(executed, programs, limited, (steps) => {
      onProgress({ stage: 'recording', done: Math.min(steps, total), total });
    });
    if (!twin) return executed.withTwinReport(report);
    const whole = {
      ...executed.recorded,
      recording: twin.recording,
      twin: report,
      executed: { debugged: executed, builds },
    };
    return DebuggedTransaction.open(whole, programs, limited, executed.untouched);
  });
}
