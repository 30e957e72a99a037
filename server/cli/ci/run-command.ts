import { timeoutSignal } from '../../api/timeout-signal';
import { counted } from '../../client/format';
import type { Context, Handler } from '../command-handlers/context';
import { UsageError } from '../errors/usage-error';
import { loadLock } from '../lock/lock-files';
import { missingReads, reportMissing, type ShownMissingRead } from '../lock/missing-reads';
import { runProgram } from '../lock/run-program';
import { runWithLock } from '../lock/run-with-lock';
import { failedTransactions, writeCaseOf } from './failed-transactions';
import { createForks, deleteForks, variablesOf, wantedForks, type JobFork } from './job-forks';
import { writeReport } from './report';

type Job = Parameters<Handler<'ci run'>>[0];

/** Runners of jobs kill some seconds after their first signal. */
const CANCELLED_REPORT_MS = 4_000;

/** Runs a job, reports what failed, and ends what was started for it. */
export const runJobCommand: Handler<'ci run'> = async (job, context) => {
  if (job.frozen && job.lock === undefined) {
    throw new UsageError('--frozen is given without --lock; accepted: both, or none');
  }
  const wanted = wantedForks(job.fork);
  const forks: JobFork[] = [];
  try {
    await createForks(wanted, forks, context);
    const { code, missing } = await runJob(job, variablesOf(forks), context);
    const isCancelled = context.signal.aborted;
    const reporting = isCancelled
      ? { ...context, signal: timeoutSignal(CANCELLED_REPORT_MS) }
      : context;
    const { failed, omitted } = await failedTransactions(forks, reporting);
    const report = { code, isCancelled, failed, omitted, missing };
    const page = process.env['GITHUB_STEP_SUMMARY'];
    const written = await writeReport(job.artifacts, report, page, (one, file) =>
      writeCaseOf(one, file, reporting),
    );
    context.signal.throwIfAborted();
    process.exitCode = code === 0 && missing.length > 0 ? 1 : code;
    const { out } = context;
    if (out.isJson) out.result({ exitCode: process.exitCode, missing, omitted, ...written }, '');
    if (job.lock !== undefined) reportMissing(job.lock, missing, out);
    if (failed.length + omitted > 0) {
      out.note(`${counted(failed.length + omitted, 'transaction')} failed; see ${written.summary}`);
    }
  } finally {
    await deleteForks(forks, context);
  }
};

async function runJob(
  { program, lock: file, frozen: isFrozen, rpc }: Job,
  variables: Readonly<Record<string, string>>,
  context: Context,
): Promise<{ code: number; missing: ShownMissingRead[] }> {
  if (file === undefined) {
    const code = await runProgram(program, {
      environment: { ...process.env, ...variables },
      stdout: context.out.isJson ? process.stderr : process.stdout,
      onText: () => undefined,
      signal: context.signal,
    });
    return { code, missing: [] };
  }
  const base = await loadLock(file);
  const run = { program, rpc, file, base, isFrozen, variables };
  try {
    const { session, end } = await runWithLock(run, context);
    return { code: end.code, missing: missingReads(session.missing, end.tests) };
  } catch (error) {
    if (!context.signal.aborted) throw error;
    return { code: 1, missing: [] };
  }
}
