import type { History } from '../../server/forks/writes/history';
import type { HistoryEntry, JournalEntry } from '../../server/forks/writes/journal';

export const step = (name: number): JournalEntry => ({
  op: 'call',
  method: `m${name}`,
  params: [],
});

export const snapshot = (id: string, pool?: true): JournalEntry => ({
  op: 'snapshot',
  id,
  ...(pool ? { pool } : {}),
});

/** A named snapshot. Its id is also its name and its time. */
export const keep = (id: string, pool?: true): JournalEntry => ({
  op: 'keep',
  snapshot: { id, name: id, createTime: id, blockNumber: 1 },
  ...(pool ? { pool } : {}),
});

/** @param inline later blocks depend on the reverted entries */
export const revert = (id: string, inline?: true): JournalEntry => ({
  op: 'revert',
  id,
  ...(inline ? { inline } : {}),
});

/** A send whose block executed transactions. Its time is the sequence. */
export const executed = (sequence: number, count: number): JournalEntry => ({
  op: 'send',
  calls: [],
  timestamp: sequence,
  executed: { sequence, day: '2025-06-20', count },
});

export function addTo(history: History, ...entries: HistoryEntry[]): void {
  for (const entry of entries) history.add(entry);
}

/** Methods of the calls in the script of a history. */
export const methods = (history: History): string[] =>
  history.script.flatMap((entry) =>
    entry.op === 'call' && 'method' in entry ? [entry.method] : [],
  );
