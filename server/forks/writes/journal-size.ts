import type { HistoryEntry } from './journal';

/** Size of some entries in a journal. */
export interface Size {
  entries: number;
  /** Small entries count with an estimate. */
  bytes: number;
}

/** Estimated line length of an entry that is kept whole in memory. */
const SMALL_BYTES = 256;

export const NOTHING: Size = { entries: 0, bytes: 0 };

export const plus = (a: Size, b: Size): Size => ({
  entries: a.entries + b.entries,
  bytes: a.bytes + b.bytes,
});

export const minus = (a: Size, b: Size): Size => ({
  entries: a.entries - b.entries,
  bytes: a.bytes - b.bytes,
});

export const sumOf = (sizes: readonly Size[]): Size => sizes.reduce(plus, NOTHING);

export const sizeOf = (entry: HistoryEntry): Size => ({
  entries: 1,
  bytes: 'stored' in entry ? entry.stored.bytes : SMALL_BYTES,
});
