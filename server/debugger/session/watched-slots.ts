import { keccak256 } from 'ethers';
import { toWord } from '../../evm/forms/quantity';
import type { Store } from '../../evm/interpreter/machine';
import type { DebuggedTransaction } from './debugged-transaction';

/** The slots of a variable. */
interface SlotRange {
  /** In lower case. */
  readonly address: string;
  readonly slot: bigint;
  /** Default: 1. */
  readonly slots?: number | undefined;
  /** Whether it is a `bytes` or `string`. */
  readonly isBytes?: boolean | undefined;
  readonly transient: boolean;
}

const SLOT_BYTES = 32;
/** 64 KiB. */
const MOST_CONTENT_SLOTS = 2_048n;

/** All slots of a variable that the recording may touch. */
export const slotsOf = (debugged: DebuggedTransaction, range: SlotRange): bigint[] =>
  range.isBytes === true ? slotsOfBytes(debugged, range) : slotsFrom(range.slot, range.slots ?? 1);

/** A write of a value that shares its slot writes the others again: only the bytes tell which one it is. */
export const isChanged = (
  { before, after }: Pick<Store, 'before' | 'after'>,
  offset = 0,
  length = SLOT_BYTES,
): boolean => BigInt.asUintN(length * 8, (before ^ after) >> BigInt(offset * 8)) !== 0n;

const slotsFrom = (first: bigint, count: number): bigint[] =>
  Array.from({ length: count }, (_, index) => BigInt.asUintN(256, first + BigInt(index)));

/**
 * The slot of a `bytes` or `string`, and those of its content, which may change alone. They are as many as the longest content of the recording
 * takes (Solidity documentation, "Layout of State Variables in Storage").
 */
function slotsOfBytes(
  { index }: DebuggedTransaction,
  { address, slot, transient }: SlotRange,
): bigint[] {
  const first = BigInt(keccak256(toWord(slot)));
  let count = 0;
  for (const { slot: written } of index.writesOf(address, transient)) {
    const at = written - first;
    if (at >= 0n && at < MOST_CONTENT_SLOTS) count = Math.max(count, Number(at) + 1);
  }
  return [slot, ...slotsFrom(first, count)];
}
