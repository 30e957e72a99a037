import type { SummaryApproval, SummaryContradiction } from '../../api/summary';
import { netAmount, type AssetFacts } from '../balances/asset-amount';
import type { Contradiction } from '../balances/reconcile';
import type { StandingApproval } from './approvals';
import type { ContradictedApproval } from './measured-approvals';
import { toSummaryQuantity, type Quantity } from './quantity';

/** A balance that differs from what events claim, in the interface's form. */
export function balanceContradiction(one: Contradiction, facts: AssetFacts): SummaryContradiction {
  const { account, claimed, measured, nodeIds } = one;
  return {
    kind: 'balance',
    account,
    ...assetOf(one, facts),
    claimed: netAmount(one, claimed, facts),
    measured: netAmount(one, measured, facts),
    nodeIds: [...nodeIds],
  };
}

/** A right that differs from what an event claims, in the interface's form. */
export function approvalContradiction(
  { owner, spender, quantity, measured, isUnlimited, isRevoked, event }: ContradictedApproval,
  facts: AssetFacts,
): SummaryContradiction {
  const isEveryToken = quantity.standard !== 'erc20' && quantity.tokenId === undefined;
  const claimed = isRevoked ? 0n : isEveryToken && isUnlimited ? 1n : quantity.amount;
  return {
    kind: 'allowance',
    account: owner,
    spender,
    ...assetOf(quantity, facts),
    claimed: netAmount(quantity, claimed, facts),
    measured: netAmount(quantity, measured, facts),
    nodeIds: [event.step.id, event.step.parent],
  };
}

/** A right that stands, in the interface's form. */
export const toSummaryApproval = (
  { owner, spender, quantity, isUnlimited, isRevoked, event }: StandingApproval,
  facts: AssetFacts,
): SummaryApproval => ({
  owner,
  spender,
  quantity: toSummaryQuantity(quantity, facts),
  ...(isUnlimited ? { isUnlimited } : {}),
  ...(isRevoked ? { isRevoked } : {}),
  nodeIds: [event.step.id, event.step.parent],
});

type AssetFields = 'asset' | 'standard' | 'tokenId' | 'symbol' | 'decimals';

function assetOf(
  one: Omit<Quantity, 'amount'>,
  facts: AssetFacts,
): Pick<SummaryContradiction, AssetFields> {
  const { asset, standard, tokenId, symbol, decimals } = toSummaryQuantity(
    { ...one, amount: 0n },
    facts,
  );
  return {
    asset,
    standard,
    ...(tokenId === undefined ? {} : { tokenId }),
    ...(symbol === undefined ? {} : { symbol }),
    ...(decimals === undefined ? {} : { decimals }),
  };
}
