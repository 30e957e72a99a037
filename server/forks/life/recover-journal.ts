import { countExecutions } from './count-executions';
import type { ManagedFork } from './managed-fork';
import type { ForkPorts } from './ports';

/**
 * Reads the journal of a sleeping fork, and counts the transactions that the statistics lack. A fork with an unusable journal becomes
 * `failed`.
 */
export async function recoverJournal(fork: ManagedFork, ports: ForkPorts): Promise<void> {
  const { forkId } = fork.record;
  try {
    countExecutions(fork.record, await fork.readJournal(), ports);
  } catch (error) {
    fork.fail(error);
    ports.log.warn({ forkId, err: error }, 'the journal of a fork cannot be used');
  }
}
