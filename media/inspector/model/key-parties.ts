import type { ComparedBalances } from '../../../server/api/shown-change';
import type { AssetNames } from '../../../server/presentation/quantity-segments';
import { cents } from '../grammar/usd';
import { balanceGroups, type BalanceGroup, type BalanceRow } from './balance-model';

/**
 * Why an account is among those that matter. `gained` and `lost` are net of what it gave or got for it; `most…` where all candidates can
 * be compared, by value or in one asset. `lostByValue`: it exchanged assets, and is worth less at the prices of the block.
 */
export type PartyTag =
  'sender' | 'receiver' | 'mostGained' | 'gained' | 'mostLost' | 'lost' | 'lostByValue';

export interface KeyParty {
  account: string;
  tags: PartyTag[];
  /** The first changes of its balances; none for a sender whose balances stayed as they were. */
  rows: readonly BalanceRow[];
  /** Number of changes beyond those. */
  more: number;
  /** Signed USD in cents; undefined if one of the prices is unknown. */
  total: bigint | undefined;
}

const ROWS = 3;
/** An exchange in which one side is worth this many times the other is a gain or a loss. */
const LOPSIDED = 2n;
const NOBODY = `0x${'0'.repeat(40)}`;
/** More digits than a token has decimals. */
const FRACTION_DIGITS = 80;

interface Candidate {
  group: BalanceGroup;
  /** Magnitude of the gain or loss in USD cents, if it is known. */
  worth: bigint | undefined;
}

/**
 * The accounts that a reader looks for first: the sender, the receiver of the call, who gained most and who lost most.
 * @param parties sender and receiver of the transaction
 * @returns empty if no balance changed
 */
export function keyParties(
  balances: ComparedBalances,
  { from, to }: { from: string; to: string | null },
  nameOf: AssetNames,
): KeyParty[] {
  const groups = balanceGroups(balances, nameOf);
  if (groups.length === 0) return [];
  const found = new Map<string, KeyParty>();
  const add = (account: string, tag: PartyTag): void => {
    const known = found.get(account);
    if (known) {
      known.tags.push(tag);
      return;
    }
    const group = groups.find((one) => one.account === account);
    const rows = group?.rows ?? [];
    found.set(account, {
      account,
      tags: [tag],
      rows: rows.slice(0, ROWS),
      more: Math.max(0, rows.length - ROWS),
      total: group?.total,
    });
  };
  add(from, 'sender');
  if (to !== null && to !== from && groups.some(({ account }) => account === to)) {
    add(to, 'receiver');
  }
  const others = groups.filter(({ account }) => account !== NOBODY);
  const gain = greatest(candidates(others, 'in'), 'in');
  if (gain) add(gain.account, gain.isMost ? 'mostGained' : 'gained');
  const loss = greatest(candidates(others, 'out'), 'out');
  if (loss) add(loss.account, loss.isMost ? 'mostLost' : 'lost');
  const byValue = gain && !loss ? leastWorth(others) : undefined;
  if (byValue) add(byValue, 'lostByValue');
  return [...found.values()];
}

type Side = 'in' | 'out';

/** Accounts that gained, or lost: all changes go one way, or one way is worth much more than the other. */
function candidates(groups: readonly BalanceGroup[], side: Side): Candidate[] {
  return groups.flatMap((group) => {
    const { rows, total } = group;
    const moved = rows.filter(({ direction }) => direction !== 'none');
    if (moved.length === 0) return [];
    const worth = total === undefined ? undefined : total < 0n ? -total : total;
    if (moved.every(({ direction }) => direction === side)) return { group, worth };
    if (total === undefined || total > 0n !== (side === 'in')) return [];
    const gross = moved.reduce(
      (sum, row) => sum + (row.direction === side ? (cents(row.value) ?? 0n) : 0n),
      0n,
    );
    // What came back is the gross side without the difference.
    const back = gross - (worth ?? 0n);
    return gross >= LOPSIDED * back ? { group, worth } : [];
  });
}

/** The greatest of the candidates; the first one, if they cannot be compared. */
function greatest(
  all: readonly Candidate[],
  side: Side,
): { account: string; isMost: boolean } | undefined {
  const [first] = all;
  if (!first) return undefined;
  const ofAll = all.length === 1 || all.every(({ worth }) => worth !== undefined);
  if (ofAll) {
    const best = all.reduce((a, b) => ((b.worth ?? 0n) > (a.worth ?? 0n) ? b : a));
    return { account: best.group.account, isMost: all.length > 1 };
  }
  const sizes = all.map(({ group }) => sizeInOneAsset(group, side, first.group));
  if (sizes.every((size) => size !== undefined)) {
    const most = sizes.reduce((a, b) => (b > a ? b : a));
    const best = all[sizes.indexOf(most)] ?? first;
    return { account: best.group.account, isMost: true };
  }
  return { account: first.group.account, isMost: false };
}

/** How much of the only asset that another account gained or lost; undefined if these are not the same single asset. */
function sizeInOneAsset(
  group: BalanceGroup,
  side: Side,
  { rows: [like] }: BalanceGroup,
): bigint | undefined {
  const [row, ...rest] = group.rows;
  if (!row || rest.length > 0 || row.direction !== side) return undefined;
  const isSame =
    row.asset.address === like?.asset.address &&
    row.asset.tokenId === like.asset.tokenId &&
    row.raw === like.raw;
  return isSame ? BigInt(row.integer + row.fraction.padEnd(FRACTION_DIGITS, '0')) : undefined;
}

/** Of the accounts that exchanged assets, the one that is worth least at the prices of the block; undefined if none is worth less. */
function leastWorth(groups: readonly BalanceGroup[]): string | undefined {
  let least: { account: string; total: bigint } | undefined;
  for (const { account, total } of groups) {
    if (total !== undefined && total < (least?.total ?? 0n)) least = { account, total };
  }
  return least?.account;
}
