import type { VNode } from 'preact';
import type { TransactionFacts } from '../../../server/api/explorer';
import { Amount } from './amount';
import { NativeAmount } from './native-amount';
import { Unknown } from './unknown';

/** The fee of a transaction, in the native asset or in a token. */
export function Fee({
  transaction: { fee, tokenFee },
}: {
  transaction: Pick<TransactionFacts, 'fee' | 'tokenFee'>;
}): VNode {
  if (!tokenFee) return <NativeAmount value={fee} />;
  const { token, rawAmount, amount, symbol, reason } = tokenFee;
  if (rawAmount === '') {
    return (
      <span title={reason}>
        <Unknown />
      </span>
    );
  }
  return <Amount value={amount || rawAmount} symbol={symbol ?? token} />;
}
