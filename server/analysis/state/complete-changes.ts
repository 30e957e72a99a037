import type { Address } from '../../api/primitives';
import { completeDiff, type DiffFacts } from '../../evm/forms/complete-diff';
import { isStateDiff } from '../../evm/forms/prestate-diff';
import { headerFields } from '../../evm/rules/header-fields';
import { executionSteps, isCreation, type CallFrame } from '../call-frame';
import type { MinedTransaction } from '../ports';

/**
 * Completes the result of `prestateTracer` with `diffMode` by the changes that tracers omit: see `completeDiff`.
 * @param touched the result without `diffMode`; undefined if unknown
 * @returns `changes` itself if it is not such a result
 */
export function completeChanges(
  changes: unknown,
  touched: unknown,
  root: CallFrame,
  { transaction, block }: MinedTransaction,
): unknown {
  if (!isStateDiff(changes)) return changes;
  const found = (touched ?? undefined) as DiffFacts['touched'];
  try {
    const lifecycle =
      headerFields(block).later === undefined ? lifecycleIn(root) : withoutFleeting(root);
    return completeDiff(changes, { transaction, touched: found, ...lifecycle });
  } catch {
    return changes; // its reader reports what is wrong with it
  }
}

/** Whether a transaction creates or destroys contracts: `completeChanges` then requires `touched`. */
export const needsTouched = (root: CallFrame): boolean => {
  const { created, selfDestructed } = lifecycleIn(root);
  return created.size + selfDestructed.size > 0;
};

/** EIP-8246: a contract that is created and destroyed leaves its account as it was, with its ether. */
function withoutFleeting(root: CallFrame): ReturnType<typeof lifecycleIn> {
  const { created, selfDestructed } = lifecycleIn(root);
  return {
    created: new Set([...created].filter((address) => !selfDestructed.has(address))),
    selfDestructed: new Set([...selfDestructed].filter((address) => !created.has(address))),
  };
}

function lifecycleIn(root: CallFrame): Pick<DiffFacts, 'created' | 'selfDestructed'> {
  const [created, selfDestructed] = [new Set<Address>(), new Set<Address>()];
  for (const { frame, log, reverted } of executionSteps(root)) {
    if (log || reverted) continue;
    if (frame.type === 'SELFDESTRUCT') selfDestructed.add(frame.from);
    if (isCreation(frame) && frame.to !== null) created.add(frame.to);
  }
  return { created, selfDestructed };
}
