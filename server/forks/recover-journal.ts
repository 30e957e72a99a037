import type { ManagedFork } from './managed-fork';
import type { ForkPorts } from './ports';

/**
 * Reads the journal of a fork that does not run, and counts the transactions that the statistics lack. A fork whose journal cannot be
 * used has failed.
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
    // An older copy of the file, or one that was cut between two entries: nothing in it is damaged.
    const missing = counted - newest;
    ports.log.warn({ forkId, missing }, 'the journal of a fork lacks its last transactions');
  }
  // A journal that was rewritten has some of them several times, and not in order.
  const uncounted = [...executions]
    .filter(([sequence]) => sequence > counted)
    .sort(([a], [b]) => a - b);
  // The journal has them: nobody waits for the statistics.
  void Promise.all(
    uncounted.map(([, one]) => ports.countTransactions({ forkId, projectId }, one)),
  ).catch((error: unknown) => {
    ports.log.warn({ err: error, forkId }, 'the statistics were not written');
  });
}
