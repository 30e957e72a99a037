import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { grouped } from '../grammar/text';

/** A plain decimal of USD in cents, rounded half away from zero; undefined where it is not one. */
export function cents(usd: string): bigint | undefined {
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(usd);
  if (!parts) return undefined;
  const [, integer = '', fraction = ''] = parts;
  const digits = fraction.padEnd(3, '0');
  return (
    BigInt(integer) * 100n + BigInt(digits.slice(0, 2)) + ((digits[2] ?? '0') >= '5' ? 1n : 0n)
  );
}

/** `$1,234.50`, without a sign. */
export function usdText(amount: bigint): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0');
  return `$${grouped(`${digits.slice(0, -2)}.${digits.slice(-2)}`)}`;
}

interface UsdProps {
  /** Cents; undefined where there is no price, which is not a price of zero. */
  amount: bigint | undefined;
  /** What stands in front: of a change `+` or `−`; of an amount nothing. */
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
