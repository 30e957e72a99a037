import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { grouped } from '../../../server/presentation/text';

/** Converts a plain decimal of USD to cents, rounded half away from zero; undefined if the text is not a plain decimal. */
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
