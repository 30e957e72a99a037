import type { FundTransfer } from '../../api/views';
import { assetAmount, type AssetFacts } from '../balances/changes';
import type { PlacedTransfer } from '../transfers/collect';

/** The transfers of a transaction in execution order, in the view's form. */
export function toFundFlow(transfers: Iterable<PlacedTransfer>, facts: AssetFacts): FundTransfer[] {
  return Array.from(transfers, ({ transfer, nodeId, frameId }, order) => {
    const { from, to, asset, standard, tokenId } = transfer;
    const { rawAmount, amount, value, symbol, decimals } = assetAmount(transfer, facts);
    return {
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
    };
  });
}
