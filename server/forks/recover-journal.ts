import type { ManagedFork } from './managed-fork';
import type { ForkPorts } from './ports';

/**
 * Reads the journal of a sleeping fork, and counts the transactions that the statistics lack. A fork with an unusable journal becomes
 * `failed`.
 */
export async function recoverJournal(fork: ManagedFork, ports: ForkPorts): Promise<void> {
  const { forkId } = fork.record;
  try {
    await countTransactions(fork, ports);
  } catch (error) {
    fork.fail(error);
    ports.log.warn({ forkId, err: error }, 'the journal of a fork cannot be used');
  }
}

async function countTransactions(fork: ManagedFork, ports: ForkPorts): Promise<void> {
  const { forkId, projectId, counted = 0 } = fork.record;
  const { entries, executed: last } = await fork.readJournal();
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
  // The executions are in the journal, so the start does not wait for the statistics.
  void Promise.all(
    uncounted.map(([, one]) => ports.countTransactions({ forkId, projectId }, one)),
  ).catch((error: unknown) => {
    ports.log.warn({ err: error, forkId }, 'the statistics were not written');
  });
}
