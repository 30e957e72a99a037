import { keccak256 } from 'ethers';
import { slotKey } from '../recording/recording';
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

/** Fields of a struct of a mapping that may hold the balance. */
const MAX_FIELDS = 8n;
const ADDRESS_BITS = 160;

/**
 * The slots of a token that hold a balance. Those of an account are at places that are hashed from it; the balance is where the change is that
 * of the balance. The owner of an ERC-721 token is at a place that is hashed from its id.
 * @returns why there are none where no place fits, or several do
 */
export function balanceSlots(
  debugged: DebuggedTransaction,
  { asset, account, tokenId, change }: TokenBalance,
): { slots: readonly bigint[] } | { unavailable: string } {
  const changed = changedSlots(debugged, asset);
  if (changed.size === 0) return { unavailable: `no slot of ${asset} changes` };
  if (tokenId !== undefined) {
    const id = tokenId.toString(16).padStart(64, '0');
    const owned = near(changed, hashedFrom(debugged, asset, id)).filter(
      ({ before, after }) => isAccount(before, account) || isAccount(after, account),
    );
    const [owner, another] = owned;
    if (owner && another === undefined) return { slots: [owner.slot] };
  }
  const [first, second] = near(changed, hashedFrom(debugged, asset, account.slice(2))).filter(
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

/** Slots that the transaction leaves with other values, by `slotKey`. */
function changedSlots(
  { recording, index }: DebuggedTransaction,
  asset: string,
): ReadonlyMap<string, ChangedSlot> {
  const found = new Map<string, ChangedSlot>();
  for (const { slot, before } of index.writesOf(asset, false)) {
    const key = slotKey(asset, slot);
    if (found.has(key)) continue;
    found.set(key, { slot, before, after: recording.world.storage(asset, slot) });
  }
  for (const [key, { before, after }] of found) if (before === after) found.delete(key);
  return found;
}

/** Places of the account that are hashes of an input with these digits. */
const hashedFrom = (
  { recording }: DebuggedTransaction,
  address: string,
  digits: string,
): bigint[] =>
  recording.hashes.inputsWith(address, digits).map((input) => BigInt(keccak256(`0x${input}`)));

/** The changed slots at places, or a few behind them, in structs. */
function near(changed: ReadonlyMap<string, ChangedSlot>, places: readonly bigint[]): ChangedSlot[] {
  const found = new Set<ChangedSlot>();
  for (const one of changed.values()) {
    const isNear = places.some((place) => one.slot >= place && one.slot - place < MAX_FIELDS);
    if (isNear) found.add(one);
  }
  return [...found];
}
