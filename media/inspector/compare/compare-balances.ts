import type { AssetChange } from '../../../server/api/explorer';
import {
  shownChanges,
  type ChangeEvidence,
  type ComparedBalances,
} from '../../../server/api/shown-change';
import { netText } from '../../../server/api/net-amount';

/** The change of one asset of one account on both sides, as signed plain decimals; empty if a side has no such change. */
export interface BalancePair {
  account: string;
  asset: Pick<AssetChange, 'address' | 'symbol' | 'tokenId' | 'decimals'>;
  left: string;
  right: string;
  differs: boolean;
  /** What the changes rest on, by side. */
  evidence: { left?: ChangeEvidence; right?: ChangeEvidence };
}

/** Whether on one side events and calls do not say what was measured, or nothing was measured. */
export const isOdd = ({ evidence }: BalancePair): boolean =>
  Object.values(evidence).some((one) => one !== 'measured');

/** The changes of both sides by account and asset, as they were measured where that is known. The left side's order comes first. */
export function compareBalances(left: ComparedBalances, right: ComparedBalances): BalancePair[] {
  const pairs = new Map<string, BalancePair>();
  for (const [side, changes] of [
    ['left', left],
    ['right', right],
  ] as const) {
    for (const change of shownChanges(changes)) {
      const { account, asset, evidence } = change;
      const key = `${account} ${asset.address} ${asset.tokenId ?? ''}`;
      const pair = pairs.get(key) ?? {
        account,
        asset,
        left: '',
        right: '',
        differs: true,
        evidence: {},
      };
      pair[side] = netText(change);
      pair.differs = pair.left !== pair.right;
      pair.evidence[side] = evidence;
      pairs.set(key, pair);
    }
  }
  return [...pairs.values()];
}
