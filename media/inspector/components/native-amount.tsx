import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useInspector } from '../ui-state/inspector-context';
import { nativeWorth } from '../grammar/tokens';
import { Amount } from './amount';
import { Unknown } from './unknown';
import { Usd } from '../grammar/usd';
import { cents } from '../../../server/presentation/usd';

/** An amount of the chain's native asset, with its USD value if a price is known. `value` is empty if unknown. */
export function NativeAmount({ value }: { value: string }): VNode {
  const { state } = useInspector();
  if (value === '') return <Unknown />;
  const worth = cents(nativeWorth(state.parts, value));
  return (
    <span class="native-amount">
      <Amount value={value} symbol={state.nativeSymbol.value} />
      {worth !== undefined && value !== '0' && (
        <span class="quiet" title={l10n.t("At the price of the block's time")}>
          {' '}
          (<Usd amount={worth} />)
        </span>
      )}
    </span>
  );
}
