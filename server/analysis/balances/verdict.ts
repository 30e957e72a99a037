import type { AssetChange } from '../../api/explorer';
import type { Measured, UnreportedChange } from '../../api/verification';
import { toDecimal } from '../../evm/forms/quantity';
import { claimKey, type CheckedClaim } from './claims';
import type { NetChange } from './net-changes';
import type { Price } from '../ports';

/** The price behind a value; empty if the source or time of the price is unknown. */
export function priceFacts(price: Price | undefined): Pick<AssetChange, 'price'> {
  const { value = 0n, decimals, source, time } = price ?? {};
  return source === undefined || time === undefined
    ? {}
    : { price: { value: toDecimal(value, decimals), source, time } };
}

/** Compares the measured change of a balance with the trace; empty if the balance could not be checked. */
export function verdictOf(
  change: Pick<NetChange, 'account' | 'asset' | 'tokenId'>,
  checked: ReadonlyMap<string, CheckedClaim> | undefined,
): Pick<AssetChange, 'verified' | 'measured'> {
  const claim = checked?.get(claimKey(change));
  if (!claim) return {};
  return claim.amount === claim.measured
    ? { verified: true }
    : { verified: false, measured: toMeasured(claim.measured) };
}

/** Balances that changed without a matching event or call. */
export const unreportedChanges = (checked: Iterable<CheckedClaim>): UnreportedChange[] =>
  Array.from(checked)
    .filter(({ amount, measured }) => amount === 0n && measured !== 0n)
    .map(({ account, asset, tokenId, measured }) => ({
      account,
      address: asset,
      ...(tokenId === undefined ? {} : { tokenId: tokenId.toString() }),
      ...toMeasured(measured),
    }));

const toMeasured = (amount: bigint): Measured => ({
  rawAmount: (amount < 0n ? -amount : amount).toString(),
  sign: amount > 0n,
});
