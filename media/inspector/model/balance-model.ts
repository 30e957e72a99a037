import type { AssetChange, BalanceChange } from '../../../server/api/explorer';
import type { UnreportedChange } from '../../../server/api/verification';
import { NATIVE_ASSET } from '../../../server/api/native-asset';
import { cents } from '../grammar/usd';
import { inUnits, type AssetNames } from '../grammar/tokens';

export interface BalanceRow {
  asset: AssetChange;
  symbol: string;
  /** Signed plain decimal, for the clipboard. */
  plain: string;
  inflow: boolean;
  /** Magnitude in two parts, so that columns align on the decimal point. */
  integer: string;
  fraction: string;
  /** The amount is in the token's smallest unit, because its decimals are unknown. */
  raw: boolean;
  /** No event or call reports this change: it is the difference of the balance itself. */
  unreported: boolean;
  /** Signed plain decimal: the actual change of the balance, if it differs from what events and calls report. */
  measured?: string;
}

export interface BalanceGroup {
  account: string;
  rows: BalanceRow[];
  /** Signed USD in cents; undefined if one of the prices is unknown. */
  total: bigint | undefined;
}

const NATIVE_DECIMALS = 18;

const signed = (inflow: boolean, magnitude: string): string => `${inflow ? '' : '-'}${magnitude}`;

/** In whole units if the decimals are known. */
function magnitudeOf(rawAmount: string, { address, decimals }: AssetChange): string {
  const places = address === NATIVE_ASSET ? NATIVE_DECIMALS : decimals;
  return places === undefined ? rawAmount : inUnits(rawAmount, places);
}

function rowOf(asset: AssetChange, nameOf: AssetNames, unreported = false): BalanceRow {
  const { sign, isERC721, isERC1155, measured } = asset;
  const magnitude = asset.amount || asset.rawAmount;
  const [integer = '', fraction = ''] = magnitude.split('.');
  return {
    ...{ asset, integer, fraction, unreported },
    symbol: nameOf(asset),
    plain: signed(sign, magnitude),
    inflow: sign,
    raw: asset.amount === '' && !isERC721 && !isERC1155,
    ...(measured && {
      measured: signed(measured.sign, magnitudeOf(measured.rawAmount, asset)),
    }),
  };
}

function totalOf(rows: readonly BalanceRow[]): bigint | undefined {
  let total = 0n;
  for (const { asset, inflow } of rows) {
    const amount = cents(asset.value);
    if (amount === undefined) return undefined;
    total += inflow ? amount : -amount;
  }
  return total;
}

/** A change that only the balance itself shows. Symbol and decimals come from other changes of the same asset. */
function unreportedAsset(
  { address, rawAmount, sign }: UnreportedChange,
  known: ReadonlyMap<string, AssetChange>,
): AssetChange {
  const { symbol, decimals } = known.get(address) ?? {};
  const asset: AssetChange = {
    ...{ address, rawAmount, sign, amount: '', value: '', isERC1155: false, isERC721: false },
    ...(symbol !== undefined && { symbol }),
    ...(decimals !== undefined && { decimals }),
  };
  const isKnown = decimals !== undefined || address === NATIVE_ASSET;
  return isKnown ? { ...asset, amount: magnitudeOf(rawAmount, asset) } : asset;
}

/** The changes that no event or call reports, with their accounts. */
export function unreportedChanges({ balanceChange, verification }: BalanceChange): {
  account: string;
  asset: AssetChange;
}[] {
  const known = new Map(
    balanceChange.flatMap(({ assets }) => assets.map((asset) => [asset.address, asset] as const)),
  );
  return (verification?.untold ?? []).map((unreported) => ({
    account: unreported.account,
    asset: unreportedAsset(unreported, known),
  }));
}

/** Changes by account, in the order of the response. Changes that no event or call reports come last in their account. */
export function balanceGroups(balances: BalanceChange, nameOf: AssetNames): BalanceGroup[] {
  const rows = new Map(
    balances.balanceChange.map(({ account, assets }) => [
      account,
      assets.map((asset) => rowOf(asset, nameOf)),
    ]),
  );
  for (const { account, asset } of unreportedChanges(balances)) {
    rows.set(account, [...(rows.get(account) ?? []), rowOf(asset, nameOf, true)]);
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
