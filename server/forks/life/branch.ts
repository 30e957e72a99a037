import { transactionNotFound } from '../../api/errors';
import type { BranchForkBody } from '../../api/fork';
import type { ForkRecord } from './fork-record';
import type { ManagedFork } from './managed-fork';
import type { ForkIdentity } from './plan-fork';
import type { JournalStore } from './ports';
import { History } from '../writes/history';
import type { JournalContents, HistoryEntry } from '../writes/journal';

/** Journal entries whose payloads are still in another journal. */
export interface OpenSteps {
  contents: JournalContents;
  close: () => Promise<void>;
}

/**
 * Plans a fork whose state is the one of the origin immediately before a transaction that was made on it, or its last one. The same entries from the same
 * fork point produce the same blocks, down to their hashes.
 * @throws ApiError transactionNotFound for any other transaction
 */
export async function planBranch(
  origin: ManagedFork,
  journals: JournalStore,
  { name, transaction }: BranchForkBody,
  identity: ForkIdentity,
): Promise<{ record: ForkRecord; steps: OpenSteps }> {
  const { forkId, snapshotId } = origin.record;
  const record = { ...origin.record, ...identity, name };
  const steps = await origin.use(async ({ writer }) => {
    const made = writer.blocks.flatMap(({ transactions }) => transactions);
    const index = transaction === undefined ? made.length : made.indexOf(transaction);
    if (index === -1) throw transactionNotFound(transaction ?? '', `fork ${forkId}`);
    const { contents, close } = await journals.read(forkId);
    const { script } = new History(snapshotId, contents);
    const ids = { from: snapshotId, to: record.snapshotId };
    return { contents: stepsBefore(script, index, ids), close };
  });
  // The origin already counted these executions.
  return { record: { ...record, counted: steps.contents.executed }, steps };
}

/** Writes the entries of a branch into its new journal. */
export async function writeSteps(
  journals: JournalStore,
  forkId: string,
  { contents, close }: OpenSteps,
): Promise<void> {
  const { journal } = await journals.open(forkId);
  try {
    await journal.rewrite(contents);
  } finally {
    await journal.close();
    await close();
  }
}

/**
 * The entries before the one that executed the transaction `index` of a fork, or all. The transactions of a bundle are one entry.
 * @param ids ids of the default snapshots, of the fork and of its branch
 */
function stepsBefore(
  script: readonly HistoryEntry[],
  index: number,
  ids: { from: string; to: string },
): JournalContents {
  const entries = script
    .slice(0, executionOf(script, index, ids.from))
    .map((entry) =>
      entry.op === 'revert' && entry.id === ids.from ? { ...entry, id: ids.to } : entry,
    );
  let nextSnapshot = 0;
  let executions = 0;
  for (const entry of entries) {
    if (entry.op === 'snapshot') nextSnapshot = Math.max(nextSnapshot, Number(entry.id) + 1);
    executions = Math.max(executions, entry.executed?.sequence ?? 0);
  }
  return { nextSnapshot, executed: executions, entries };
}

/** Index of the entry that executed the transaction, ignoring reverted entries. */
function executionOf(script: readonly HistoryEntry[], index: number, defaultId: string): number {
  const countAt = new Map([[defaultId, 0]]);
  let count = 0;
  let place: number | undefined;
  script.forEach((entry, step) => {
    if (entry.op === 'snapshot') countAt.set(entry.id, count);
    else if (entry.op === 'keep') countAt.set(entry.snapshot.id, count);
    else if (entry.op === 'revert') count = countAt.get(entry.id) ?? 0;
    if (count <= index) place = undefined;
    count += entry.executed?.count ?? 0;
    if (count > index) place ??= step;
  });
  return place ?? script.length;
}
