import type { AssetChange } from '../../../server/api/explorer';
import {
  shownChanges,
  type ChangeEvidence,
  type ComparedBalances,
  type ShownChange,
} from '../../../server/api/shown-change';
import { isRaw } from '../../../server/presentation/change-evidence';
import { netText, type NetAmount } from '../../../server/api/net-amount';
import { cents } from '../../../server/presentation/usd';
import type { AssetNames } from '../../../server/presentation/quantity-segments';

export interface BalanceRow {
  asset: AssetChange;
  symbol: string;
  /** Signed plain decimal, for the clipboard. */
  plain: string;
  /** Plain decimal of the value in USD; empty if the price is unknown. */
  value: string;
  direction: 'in' | 'out' | 'none';
  /** Signed decimal in the smallest unit. */
  rawChange: string;
  /** Magnitude in two parts, so that columns align on the decimal point. */
  integer: string;
  fraction: string;
  /** The amount is in the token's smallest unit, because its decimals are unknown. */
  raw: boolean;
  evidence: ChangeEvidence;
  /** Signed plain decimal: what events and calls claim, if the balance changed by another amount. */
  claimed?: string;
}

export interface BalanceGroup {
  account: string;
  rows: BalanceRow[];
  /** Signed USD in cents; undefined if one of the prices is unknown. */
  total: bigint | undefined;
}

/** @param nameOf returns the shown name of the asset */
export function rowOf(
  change: Pick<ShownChange, 'asset' | 'value' | 'evidence' | 'claimed'> & NetAmount,
  nameOf: AssetNames,
): BalanceRow {
  const { asset, amount, rawAmount, sign, value, evidence, claimed } = change;
  const [integer = '', fraction = ''] = (amount || rawAmount).split('.');
  return {
    asset,
    symbol: nameOf(asset),
    plain: netText(change),
    value,
    direction: rawAmount === '0' ? 'none' : sign ? 'in' : 'out',
    rawChange: sign ? rawAmount : `-${rawAmount}`,
    integer,
    fraction,
    raw: isRaw(change, asset),
    evidence,
    ...(claimed && { claimed: netText(claimed) }),
  };
}

function totalOf(rows: readonly BalanceRow[]): bigint | undefined {
  let total = 0n;
  for (const { value, direction } of rows) {
    const amount = direction === 'none' ? 0n : cents(value);
    if (amount === undefined) return undefined;
    total += direction === 'in' ? amount : -amount;
  }
  return total;
}

/** Changes by account, in the order of the response. Changes that no event or call reports come last in their account. */
export function balanceGroups(balances: ComparedBalances, nameOf: AssetNames): BalanceGroup[] {
  const rows = new Map<string, BalanceRow[]>();
  for (const change of shownChanges(balances)) {
    const own = rows.get(change.account);
    if (own) own.push(rowOf(change, nameOf));
    else rows.set(change.account, [rowOf(change, nameOf)]);
  }
  return [...rows].map(([account, all]) => ({ account, rows: all, total: totalOf(all) }));
}

/** Order of the accounts and of each account's assets; undefined: the order of the response. */
export type BalanceOrder = { column: string; direction: 'up' | 'down' } | undefined;

/** @param nameOf returns an account's name, for an order by name */
export function orderedGroups(
  groups: readonly BalanceGroup[],
  order: BalanceOrder,
  nameOf: (account: string) => string,
): BalanceGroup[] {
  if (!order) return [...groups];
  const sign = order.direction === 'up' ? 1 : -1;
  // Rows without a price come last in both directions.
  const byWorth = (a: bigint | undefined, b: bigint | undefined): number => {
    if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
    return a === b ? 0 : a < b ? -sign : sign;
  };
  const worth = (row: BalanceRow): bigint | undefined => totalOf([row]);
  const isByName = order.column === 'account';
  return groups
    .map((group) => ({
      ...group,
      rows: group.rows.toSorted((a, b) =>
        isByName ? sign * a.symbol.localeCompare(b.symbol) : byWorth(worth(a), worth(b)),
      ),
    }))
    .sort((a, b) =>
      isByName
        ? sign * nameOf(a.account).localeCompare(nameOf(b.account))
        : byWorth(a.total, b.total),
    );
}

/** Digits of the longest fraction: distance of the decimal point from the right edge. */
export function widestFraction(groups: readonly BalanceGroup[]): number {
  return Math.max(0, ...groups.flatMap(({ rows }) => rows.map(({ fraction }) => fraction.length)));
}
