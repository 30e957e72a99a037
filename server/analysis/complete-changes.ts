import type { Address } from '../api/primitives';
import { completeDiff, type DiffFacts } from '../replay/complete-diff';
import { isStateDiff } from '../replay/state-diff';
import { executionSteps, isCreation, type CallFrame } from './call-frame';
import type { MinedTransaction } from './ports';

/**
 * The answer of `prestateTracer` with `diffMode`, with what tracers leave out of it: see `completeDiff`.
 * @param touched the answer without `diffMode`; undefined where it is unknown
 * @returns `changes` itself where it is no such answer
 */
export function completeChanges(
  changes: unknown,
  touched: unknown,
  root: CallFrame,
  { transaction }: MinedTransaction,
): unknown {
  if (!isStateDiff(changes)) return changes;
  const found = (touched ?? undefined) as DiffFacts['touched'];
  try {
    return completeDiff(changes, { transaction, touched: found, ...fatesIn(root) });
  } catch {
    return changes; // who reads it says what is wrong with it
  }
}

/** Whether a transaction creates or destroys: then `completeChanges` needs to know what it touched. */
export const needsTouched = (root: CallFrame): boolean => {
  const { created, selfDestructed } = fatesIn(root);
  return created.size + selfDestructed.size > 0;
};

function fatesIn(root: CallFrame): Pick<DiffFacts, 'created' | 'selfDestructed'> {
  const [created, selfDestructed] = [new Set<Address>(), new Set<Address>()];
  for (const { frame, log, reverted } of executionSteps(root)) {
    if (log || reverted) continue;
    if (frame.type === 'SELFDESTRUCT') selfDestructed.add(frame.from);
    if (isCreation(frame) && frame.to !== null) created.add(frame.to);
  }
  return { created, selfDestructed };
}
