import type { AssetChange } from '../api/explorer';
import type { Measured, UntoldChange } from '../api/verification';
import { toDecimal } from '../ethereum/quantity';
import { claimKey, type BalanceClaim, type CheckedClaim } from './balance-claims';
import type { Price } from './ports';

/** Where a value comes from; nothing of a price whose origin is not known. */
export function priceFacts(price: Price | undefined): Pick<AssetChange, 'price'> {
  const { value = 0n, decimals, source, time } = price ?? {};
  return source === undefined || time === undefined
    ? {}
    : { price: { value: toDecimal(value, decimals), source, time } };
}

/** Whether a balance changed by what the trace says; nothing where it could not be asked. */
export function verdictOf(
  change: Pick<BalanceClaim, 'account' | 'asset' | 'tokenId'>,
  checked: ReadonlyMap<string, CheckedClaim> | undefined,
): Pick<AssetChange, 'verified' | 'measured'> {
  const claim = checked?.get(claimKey(change));
  if (!claim) return {};
  return claim.amount === claim.measured
    ? { verified: true }
    : { verified: false, measured: toMeasured(claim.measured) };
}

/** Balance changes that no event or call explains. */
export const untoldChanges = (checked: Iterable<CheckedClaim>): UntoldChange[] =>
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
