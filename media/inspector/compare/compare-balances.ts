import type { AssetChange, BalanceChange } from '../../../server/api/explorer';

/** The change of one asset of one account on both sides, as signed plain decimals; empty if a side has no such change. */
export interface BalancePair {
  account: string;
  asset: Pick<AssetChange, 'address' | 'symbol' | 'tokenId' | 'decimals'>;
  left: string;
  right: string;
  differs: boolean;
}

function signed({ sign, amount, rawAmount }: AssetChange): string {
  return `${sign ? '' : '-'}${amount || rawAmount}`;
}

/** The changes of both sides by account and asset. The left side's order comes first. */
export function compareBalances(
  left: BalanceChange['balanceChange'],
  right: BalanceChange['balanceChange'],
): BalancePair[] {
  const pairs = new Map<string, BalancePair>();
  for (const [side, changes] of [
    ['left', left],
    ['right', right],
  ] as const) {
    for (const { account, assets } of changes) {
      for (const asset of assets) {
        const key = `${account} ${asset.address} ${asset.tokenId ?? ''}`;
        const pair = pairs.get(key) ?? { account, asset, left: '', right: '', differs: true };
        pair[side] = signed(asset);
        pair.differs = pair.left !== pair.right;
        pairs.set(key, pair);
      }
    }
  }
  return [...pairs.values()];
}
