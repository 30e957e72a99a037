import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { usdText } from '../../../server/presentation/usd';

interface UsdProps {
  /** Cents; undefined if there is no price, which differs from a price of zero. */
  amount: bigint | undefined;
  /** Sign before the amount: `+` or `−` for a change, empty otherwise. */
  sign?: '+' | '−' | '';
}

export function Usd({ amount, sign = '' }: UsdProps): VNode {
  if (amount === undefined)
    return (
      <span class="quiet" title={l10n.t('No price is known')}>
        –
      </span>
    );
  if (amount === 0n) return <span class="quiet number">&lt;$0.01</span>;
  return (
    <span class="number">
      {sign}
      {usdText(amount)}
    </span>
  );
}
