import type { SummaryQuantity } from '../../api/summary';
import { assetAmount, type AssetFacts } from '../balances/asset-amount';
import type { Transfer } from '../transfers/transfer';

/** An amount of an asset, not negative. */
export type Quantity = Pick<Transfer, 'asset' | 'standard' | 'tokenId' | 'amount' | 'isClaimed'>;

export const quantityOf = ({
  asset,
  standard,
  tokenId,
  amount,
  isClaimed,
}: Quantity): Quantity => ({
  asset,
  standard,
  ...(tokenId === undefined ? {} : { tokenId }),
  amount,
  ...(isClaimed ? { isClaimed } : {}),
});

/** One amount with another of the same asset added to it, which may be negative. */
export const increased = (sum: Quantity | undefined, one: Quantity, amount: bigint): Quantity => ({
  ...quantityOf(one),
  ...(sum?.isClaimed ? { isClaimed: true } : {}),
  amount: (sum?.amount ?? 0n) + amount,
});

/** Whether the asset is counted, and has no token ids. */
export const isFungible = ({ standard }: Pick<Quantity, 'standard'>): boolean =>
  standard === 'native' || standard === 'erc20';

/** Identifies what can be added up. */
export const assetKey = ({ asset, tokenId }: Pick<Quantity, 'asset' | 'tokenId'>): string =>
  tokenId === undefined ? asset : `${asset} ${tokenId}`;

/** Amounts of the same asset added up, in the order of their first occurrence. */
export function summed(quantities: Iterable<Quantity>): Quantity[] {
  const sums = new Map<string, Quantity>();
  for (const one of quantities) {
    const key = assetKey(one);
    sums.set(key, increased(sums.get(key), one, one.amount));
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0n);
}

/** An amount in the interface's form. */
export function toSummaryQuantity(one: Quantity, facts: AssetFacts): SummaryQuantity {
  const { rawAmount, amount, symbol, decimals } = assetAmount(one, facts);
  return {
    asset: one.asset,
    standard: one.standard,
    rawAmount,
    amount,
    ...(one.tokenId === undefined ? {} : { tokenId: one.tokenId.toString() }),
    ...(symbol === undefined ? {} : { symbol }),
    ...(decimals === undefined ? {} : { decimals }),
    ...(one.isClaimed ? { isClaimed: true } : {}),
  };
}
