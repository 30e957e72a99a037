import type { VNode } from 'preact';
import { withMinus } from '../grammar/decimal';

const WHY_NEGATIVE =
  'Below zero: refunds, such as for storage that was cleared, are more than what was used without the calls below';

/** Why the gas that was used without the calls below is less than nothing; undefined where it is not. */
export function selfGasHint(gas: number): string | undefined {
  return gas < 0 ? WHY_NEGATIVE : undefined;
}

/** Gas without that of the calls below. */
export function SelfGas({ gas }: { gas: number }): VNode {
  return (
    <span class="number" title={selfGasHint(gas)}>
      {withMinus(String(gas))}
    </span>
  );
}
