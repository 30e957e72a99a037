import type { ForkRecord } from './fork-record';
import type { ForkPorts } from './ports';
import type { JournalContents } from '../writes/journal';

/** Counts the executions of a journal that the statistics lack, in the background. */
export function countExecutions(
  { forkId, projectId, counted = 0 }: Pick<ForkRecord, 'forkId' | 'projectId' | 'counted'>,
  { entries, executed: last }: JournalContents,
  ports: Pick<ForkPorts, 'countTransactions' | 'log'>,
): void {
  const executions = new Map(
    entries.flatMap(({ executed }) => (executed ? [[executed.sequence, executed] as const] : [])),
  );
  const newest = Math.max(last, ...executions.keys());
  if (newest < counted) {
    // The file is an older copy, or was cut between two entries: its entries are intact.
    const missing = counted - newest;
    ports.log.warn({ forkId, missing }, 'the journal of a fork lacks its last transactions');
  }
  // A rewritten journal contains some executions several times, and not in order.
  const uncounted = [...executions]
    .filter(([sequence]) => sequence > counted)
    .sort(([a], [b]) => a - b);
  // The executions are in the journal, so nobody waits for the statistics.
  void Promise.all(
    uncounted.map(([, one]) => ports.countTransactions({ forkId, projectId }, one)),
  ).catch((error: unknown) => {
    ports.log.warn({ err: error, forkId }, 'the statistics were not written');
  });
}
