import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { SummaryQuantity } from '../../../server/api/summary';
import { Amount } from '../components/amount';
import { filled } from '../components/filled';
import { grouped, shownText } from '../grammar/text';
import { assetNames } from '../grammar/tokens';
import { useInspector } from '../ui-state/inspector-context';

const SYMBOL_LIMIT = 16;
const ID_LIMIT = 12;
export const MAX_UINT256 = String(2n ** 256n - 1n);

/** Follows what only events say. */
export function ClaimedMark(): VNode {
  return (
    <span
      class="kind odd"
      title={l10n.t('Only an event says so: the state after the transaction could not be read')}
    >
      {l10n.t('claimed')}
    </span>
  );
}

/** An amount with its unit, in the smallest unit if the decimals are unknown; a token with its id. What only events say is marked. */
export function Quantity({ quantity }: { quantity: SummaryQuantity }): VNode {
  const amount = <PlainQuantity quantity={quantity} />;
  return quantity.isClaimed ? (
    <span>
      {amount} <ClaimedMark />
    </span>
  ) : (
    amount
  );
}

function PlainQuantity({ quantity }: { quantity: SummaryQuantity }): VNode {
  const { state } = useInspector();
  const { asset, symbol, standard, amount, rawAmount, tokenId } = quantity;
  const nameOf = assetNames(state.names.value, state.nativeSymbol.value, SYMBOL_LIMIT);
  const unit = nameOf({ address: asset, symbol });
  if (tokenId !== undefined) {
    const token = (
      <bdi title={`${asset} #${tokenId}`}>
        {unit} #{shownText(tokenId, ID_LIMIT)}
      </bdi>
    );
    return standard === 'erc1155' ? (
      <span>
        {grouped(rawAmount)} × {token}
      </span>
    ) : (
      token
    );
  }
  if (rawAmount === MAX_UINT256) return <AnyAmount quantity={quantity} />;
  return amount === '' ? (
    <span title={l10n.t('In the smallest unit: the decimals are not known')}>
      <Amount value={rawAmount} symbol={unit} /> <span class="quiet">{l10n.t('raw units')}</span>
    </span>
  ) : (
    <Amount value={amount} symbol={unit} />
  );
}

/** Everything of an asset: an unlimited allowance. */
export function AnyAmount({ quantity }: { quantity: SummaryQuantity }): VNode {
  const { state } = useInspector();
  const { asset, symbol, standard } = quantity;
  const nameOf = assetNames(state.names.value, state.nativeSymbol.value, SYMBOL_LIMIT);
  const text = standard === 'erc20' ? l10n.t('any amount of {0}') : l10n.t('every token of {0}');
  return <span>{filled(text, <bdi title={asset}>{nameOf({ address: asset, symbol })}</bdi>)}</span>;
}

/** Amounts, separated by plus signs, which no language has to translate. */
export function Quantities(props: { all: readonly SummaryQuantity[]; omitted?: number }): VNode {
  const { all, omitted = 0 } = props;
  return (
    <span>
      {all.map((quantity, index) => (
        <span key={index}>
          {index > 0 && ' + '}
          <Quantity quantity={quantity} />
        </span>
      ))}
      {omitted > 0 && (
        <span class="quiet"> {l10n.t('and {0} more', grouped(String(omitted)))}</span>
      )}
    </span>
  );
}
