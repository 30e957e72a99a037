import { keccak256 } from 'ethers';
import type { Work } from '../../kernel/async/slices';
import type { DebuggedTransaction } from './debugged-transaction';

/** A balance in a token. */
interface TokenBalance {
  /** Account of the storage, in lower case. */
  readonly asset: string;
  /** In lower case. */
  readonly account: string;
  /** Of ERC-721 and ERC-1155. */
  readonly tokenId?: bigint | undefined;
  /** Net change in the smallest unit; undefined: not known. */
  readonly change?: bigint | undefined;
}

/** Places of the fields of a struct of a mapping that may hold the balance. */
const FIELDS = [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n];
const ADDRESS_BITS = 160;

/**
 * The slots of a token that hold a balance. Those of an account are at places that are hashed from it; the balance is where the change is that
 * of the balance. The owner of an ERC-721 token is at a place that is hashed from its id.
 * @returns why there are none where no place fits, or several do
 */
export function* balanceSlotsWork(
  debugged: DebuggedTransaction,
  { asset, account, tokenId, change }: TokenBalance,
): Work<{ slots: readonly bigint[] } | { unavailable: string }> {
  const changed = yield* changedSlotsWork(debugged, asset);
  if (changed.length === 0) return { unavailable: `no slot of ${asset} changes` };
  const slotsWith = (digits: string): Work<ChangedSlot[]> =>
    slotsNearWork(debugged, changed, asset, digits);
  if (tokenId !== undefined) {
    const near = yield* slotsWith(tokenId.toString(16).padStart(64, '0'));
    const [owner, another] = near.filter(
      ({ before, after }) => isAccount(before, account) || isAccount(after, account),
    );
    if (owner && another === undefined) return { slots: [owner.slot] };
  }
  const near = yield* slotsWith(account.slice(2));
  const [first, second] = near.filter(
    ({ before, after }) => change === undefined || after - before === change,
  );
  if (first && second === undefined) return { slots: [first.slot] };
  return {
    unavailable: first
      ? `several slots of ${asset} may hold the balance of ${account}`
      : `no slot of ${asset} is certain to hold the balance of ${account}`,
  };
}

interface ChangedSlot {
  readonly slot: bigint;
  readonly before: bigint;
  readonly after: bigint;
}

const isAccount = (word: bigint, account: string): boolean =>
  BigInt.asUintN(ADDRESS_BITS, word) === BigInt(account);

/** Slots that the transaction leaves with other values. */
function* changedSlotsWork(
  { recording, index }: DebuggedTransaction,
  asset: string,
): Work<ChangedSlot[]> {
  const found = new Map<bigint, ChangedSlot>();
  for (const { slot, before } of index.writesOf(asset, false)) {
    yield 1;
    if (found.has(slot)) continue;
    found.set(slot, { slot, before, after: recording.world.storage(asset, slot) });
  }
  return [...found.values()].filter(({ before, after }) => before !== after);
}

/** The changed slots at places that are hashes of an input with these digits, or a few behind them, in structs. */
function* slotsNearWork(
  { recording }: DebuggedTransaction,
  changed: readonly ChangedSlot[],
  asset: string,
  digits: string,
): Work<ChangedSlot[]> {
  const places = new Set<bigint>();
  for (const input of yield* recording.hashes.inputsWithWork(asset, digits)) {
    yield 1;
    places.add(BigInt(keccak256(`0x${input}`)));
  }
  const found: ChangedSlot[] = [];
  for (const one of changed) {
    yield 1;
    if (FIELDS.some((field) => places.has(one.slot - field))) found.push(one);
  }
  return found;
}
