import type { Address, Hash } from '../../api/primitives';
import type { Scene } from './scene';

/** How the storage of a contract bears out that it names an account. */
export type Evidence = 'measured' | 'contradicted' | 'unknown';

/**
 * Whether a contract names an account in its storage after the transaction, in a slot that the transaction touched. A renounced right names
 * nobody: then a slot has to have lost the earlier holder.
 * @param later `0x0` for nobody
 */
export function namesAfter(
  { state }: Pick<Scene, 'state'>,
  contract: Address,
  later: Address,
  earlier?: Address,
): Evidence {
  if (!state) return 'unknown';
  const before = state.before[contract]?.stateDiff ?? {};
  const after = state.after[contract]?.stateDiff ?? {};
  const slots = Object.keys(after) as Hash[];
  const holds = (word: Hash | undefined, account: Address): boolean =>
    word?.includes(account.slice(2)) === true;
  const isNamed =
    BigInt(later) === 0n && earlier !== undefined
      ? slots.some((slot) => holds(before[slot], earlier) && !holds(after[slot], earlier))
      : slots.some((slot) => holds(after[slot], later));
  return isNamed ? 'measured' : 'contradicted';
}
