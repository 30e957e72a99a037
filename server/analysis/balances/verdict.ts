import type { AssetChange } from '../../api/explorer';
import type { Measured, UnreportedChange } from '../../api/verification';
import { toDecimal } from '../../ethereum/quantity';
import { assetAmount, type AssetFacts } from './asset-amount';
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
  facts: AssetFacts,
): Pick<AssetChange, 'verified' | 'measured'> {
  const claim = facts.checked?.get(claimKey(change));
  if (!claim) return {};
  return claim.amount === claim.measured
    ? { verified: true }
    : { verified: false, measured: toMeasured(claim, facts) };
}

/** Balances that changed without a matching event or call. */
export const unreportedChanges = (
  checked: Iterable<CheckedClaim>,
  facts: AssetFacts,
): UnreportedChange[] =>
  Array.from(checked)
    .filter(({ amount, measured }) => amount === 0n && measured !== 0n)
    .map((claim) => {
      const { account, asset, tokenId, measured } = claim;
      const { symbol, decimals } = assetAmount({ ...claim, amount: measured }, facts);
      return {
        account,
        address: asset,
        ...(tokenId === undefined ? {} : { tokenId: tokenId.toString() }),
        ...toMeasured(claim, facts),
        ...(symbol === undefined ? {} : { symbol }),
        ...(decimals === undefined ? {} : { decimals }),
      };
    });

function toMeasured(claim: CheckedClaim, facts: AssetFacts): Measured {
  const { measured } = claim;
  const { rawAmount, amount, value } = assetAmount({ ...claim, amount: measured }, facts);
  return {
    rawAmount,
    sign: measured > 0n,
    ...(amount === '' ? {} : { amount }),
    ...(value === '' ? {} : { value }),
  };
}
