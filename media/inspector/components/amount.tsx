import type { VNode } from 'preact';
import { grouped, shownText } from '../../../server/presentation/text';

const SYMBOL_LIMIT = 16;

/** An amount of an asset with its unit: grouped digits on screen, plain decimal in the tooltip. `value` is a plain decimal. */
export function Amount({ value, symbol }: { value: string; symbol: string }): VNode {
  const unit = shownText(symbol, SYMBOL_LIMIT);
  return (
    <span class="number" title={`${value} ${unit}`}>
      {grouped(value)} <bdi class="quiet">{unit}</bdi>
    </span>
  );
}
