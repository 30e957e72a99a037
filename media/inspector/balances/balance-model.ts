import type { AssetChange, BalanceChange } from '../../../server/api/explorer';
import { NATIVE_ASSET } from '../../../server/api/native-asset';
import { shortHex, shownText } from '../grammar/text';

export interface BalanceRow {
  asset: AssetChange;
  symbol: string;
  /** Signed, plain: for the clipboard. */
  plain: string;
  inflow: boolean;
  /** Magnitude in two parts, so that columns align on the decimal point. */
  integer: string;
  fraction: string;
  /** The amount is in the token's smallest unit, because its decimals are unknown. */
  raw: boolean;
}

export interface BalanceGroup {
  account: string;
  rows: BalanceRow[];
  /** Signed USD in cents; undefined where one of the prices is unknown. */
  total: bigint | undefined;
}

const SYMBOL_LIMIT = 32;

/** A plain decimal of USD in cents, rounded half away from zero; undefined where it is not one. */
export function cents(usd: string): bigint | undefined {
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(usd);
  if (!parts) return undefined;
  const [, integer = '', fraction = ''] = parts;
  const digits = fraction.padEnd(3, '0');
  return (
    BigInt(integer) * 100n + BigInt(digits.slice(0, 2)) + ((digits[2] ?? '0') >= '5' ? 1n : 0n)
  );
}

function symbolOf(asset: AssetChange, nativeSymbol: string): string {
  if (asset.symbol) return shownText(asset.symbol, SYMBOL_LIMIT);
  return asset.address === NATIVE_ASSET ? nativeSymbol : shortHex(asset.address);
}

function rowOf(asset: AssetChange, nativeSymbol: string): BalanceRow {
  const isToken = asset.isERC721 || asset.isERC1155;
  const raw = asset.amount === '' && !isToken;
  const magnitude = asset.amount || asset.rawAmount;
  const [integer = '', fraction = ''] = magnitude.split('.');
  return {
    asset,
    symbol: symbolOf(asset, nativeSymbol),
    plain: `${asset.sign ? '' : '-'}${magnitude}`,
    inflow: asset.sign,
    integer,
    fraction,
    raw,
  };
}

function totalOf(assets: readonly AssetChange[]): bigint | undefined {
  let total = 0n;
  for (const { value, sign } of assets) {
    const amount = cents(value);
    if (amount === undefined) return undefined;
    total += sign ? amount : -amount;
  }
  return total;
}

export function balanceGroups(balances: BalanceChange, nativeSymbol: string): BalanceGroup[] {
  return balances.balanceChange.map(({ account, assets }) => ({
    account,
    rows: assets.map((asset) => rowOf(asset, nativeSymbol)),
    total: totalOf(assets),
  }));
}

/** Digits of the longest fraction: how far the decimal point stands from the right edge. */
export function widestFraction(groups: readonly BalanceGroup[]): number {
  return Math.max(0, ...groups.flatMap(({ rows }) => rows.map(({ fraction }) => fraction.length)));
}
