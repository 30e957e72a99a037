import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { withMinus } from '../grammar/decimal';

/** Why the gas that was used without the calls below is less than nothing; undefined where it is not. */
export function selfGasHint(gas: number): string | undefined {
  return gas < 0
    ? l10n.t(
        'Below zero: refunds, such as for storage that was cleared, are more than what was used without the calls below',
      )
    : undefined;
}

/** Gas without that of the calls below. */
export function SelfGas({ gas }: { gas: number }): VNode {
  return (
    <span class="number" title={selfGasHint(gas)}>
      {withMinus(String(gas))}
    </span>
  );
}
