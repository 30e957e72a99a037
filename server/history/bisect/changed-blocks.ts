import { invalidField } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import type { OnProgress } from '../../api/progress';
import { isSameOutcome, type Outcome } from '../expressions/chain-expression';
import { narrow, type Range } from './narrow';
import type { ValuesAfterBlocks } from './values-after-blocks';

/** Blocks whose values are read at a time. */
const TOGETHER = 50;

/** Pairs of adjacent blocks between which the value changed. */
export interface ChangedBlocks {
  readonly ranges: readonly Range<Outcome>[];
  /** Ranges that hold further changes, which were not narrowed. */
  readonly omitted: number;
}

/** The first change that bisection finds, or each that its reads show. @param most changes */
export async function bisectedBlocks(
  values: ValuesAfterBlocks,
  whole: Range<Outcome>,
  most: number,
  onProgress: OnProgress | undefined,
): Promise<ChangedBlocks> {
  const open = [whole];
  const ranges: Range<Outcome>[] = [];
  while (ranges.length < most) {
    const range = open.shift();
    if (!range) break;
    const found = await narrow(range, {
      at: (blocks) => values.at(blocks),
      isSame: isSameOutcome,
      onRange: ({ low, high }) => {
        const done = halvings(whole) - halvings({ low, high });
        const stage = `between blocks ${low} and ${high} (${values.reads} reads)`;
        onProgress?.({ stage, done, total: halvings(whole) });
      },
      onOther: (other) => open.push(other),
    });
    ranges.push(found);
  }
  ranges.sort((one, other) => one.low - other.low);
  return { ranges, omitted: open.length };
}

/** How often a range can be halved. */
const halvings = ({ low, high }: { low: number; high: number }): number =>
  Math.ceil(Math.log2(high - low));

/**
 * Reads the value after every block.
 * @throws ApiError `invalidField` for too many blocks
 */
export async function everyChangedBlock(
  values: ValuesAfterBlocks,
  { low: from, high: to }: { low: number; high: number },
  most: number,
  onProgress: OnProgress | undefined,
): Promise<ChangedBlocks> {
  if (to - from > LIMITS.bisectEvery) {
    throw invalidField(
      'the range',
      `${to - from} blocks`,
      `up to ${LIMITS.bisectEvery} where every block is read`,
    );
  }
  const ranges: Range<Outcome>[] = [];
  let omitted = 0;
  let before = await values.after(from);
  for (let start = from + 1; start <= to; start += TOGETHER) {
    const count = Math.min(TOGETHER, to - start + 1);
    const blocks = Array.from({ length: count }, (_, index) => start + index);
    const stage = `block ${start} (${values.reads} reads)`;
    onProgress?.({ stage, done: start - from, total: to - from });
    for (const [index, after] of (await values.at(blocks)).entries()) {
      const high = start + index;
      if (!isSameOutcome(before, after)) {
        if (ranges.length < most) ranges.push({ low: high - 1, high, before, after });
        else omitted++;
      }
      before = after;
      if (high < to) values.drop(high);
    }
  }
  return { ranges, omitted };
}
