import type { FundTransfer } from '../../api/views';
import { STEPS_PER_YIELD, type Work } from '../../kernel/async/slices';
import { assetAmount, type AssetFacts } from '../balances/asset-amount';
import { sidesOf } from '../balances/reconcile';
import { verdictOf } from '../balances/verdict';
import type { PlacedTransfer } from '../transfers/collect';
import type { Transfer } from '../transfers/transfer';

/**
 * The transfers of a transaction in execution order, in the view's form. A transfer is verified by the net changes of its sides: where one
 * of these differs from the state, it says what was measured.
 */
export function* fundFlowWork(
  transfers: readonly PlacedTransfer[],
  facts: AssetFacts,
): Work<FundTransfer[]> {
  const flow: FundTransfer[] = [];
  for (const [order, { transfer, nodeId, frameId }] of transfers.entries()) {
    if (order % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    const { from, to, asset, standard, tokenId } = transfer;
    const { rawAmount, amount, value, symbol, decimals } = assetAmount(transfer, facts);
    flow.push({
      order,
      nodeId,
      frameId,
      from: from ?? '',
      to: to ?? '',
      asset,
      standard,
      rawAmount,
      amount,
      value,
      ...(tokenId === undefined ? {} : { tokenId: tokenId.toString() }),
      ...(symbol === undefined ? {} : { symbol }),
      ...(decimals === undefined ? {} : { decimals }),
      ...proofOf(transfer, facts),
    });
  }
  return flow;
}

function proofOf(
  transfer: Transfer,
  facts: AssetFacts,
): Pick<FundTransfer, 'verified' | 'measured'> {
  const { checked } = facts;
  if (!checked || checked.size === 0) return {};
  const sides = sidesOf(transfer).map((account) => {
    return { account, ...verdictOf({ ...transfer, account }, checked) };
  });
  const measured = sides.flatMap(({ account, measured: change }) =>
    change ? [{ account, ...change }] : [],
  );
  if (measured.length > 0) return { verified: false, measured };
  return sides.length > 0 && sides.every(({ verified }) => verified) ? { verified: true } : {};
}
