import { visibleText } from '../../api/visible-text';
import { describeCall } from '../../chains/lock/locked-call';
import { missingMark, type MissingRead } from '../../chains/lock/lock-session';
import { counted } from '../../client/format';
import type { Output } from '../output/output';

/** A read that a lockfile lacks, in the result of a command. */
export interface ShownMissingRead {
  chain: number;
  method: string;
  params: readonly unknown[];
  /** For people: method, address, slot and block. */
  text: string;
  /** The test that asked; null where the output of the program does not tell. */
  test: string | null;
}

/** @param tests names of tests by the mark of the read */
export const missingReads = (
  missing: readonly MissingRead[],
  tests: ReadonlyMap<string, string>,
): ShownMissingRead[] =>
  missing.map(({ id, chain, call }) => ({
    chain,
    ...call,
    text: `${describeCall(call)} of chain ${chain}`,
    test: tests.get(missingMark(id)) ?? null,
  }));

const SHOWN = 50;

export function reportMissing(
  file: string,
  missing: readonly ShownMissingRead[],
  out: Output,
): void {
  if (missing.length === 0) return;
  out.note(
    `${file} lacks ${counted(missing.length, 'read')}; forklens lock update adds what is missing:`,
  );
  for (const { text, test } of missing.slice(0, SHOWN)) {
    out.note(`  ${visibleText(`${text}${test === null ? '' : `, asked by ${test}`}`)}`);
  }
  if (missing.length > SHOWN) out.note(`  and ${missing.length - SHOWN} more`);
}
