import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { CopyButton } from '../components/copy-button';
import { Icon } from '../components/icon';
import { cents, Usd } from '../grammar/usd';
import { signed } from '../grammar/decimal';
import { fold, grouped, shownText } from '../grammar/text';
import type { BalanceRow } from '../model/balance-model';

const TOKEN_ID_LIMIT = 12;
const SOURCE_LIMIT = 40;

/** Every change shows its sign, because colour alone is not accessible. */
export const signOf = (change: bigint): '+' | '−' => (change < 0n ? '−' : '+');

/** The asset's symbol, token id and kind, with a note if the change needs attention. */
export function AssetName({ row }: { row: BalanceRow }): VNode {
  const { asset, symbol, raw, unreported, measured } = row;
  const { tokenId } = asset;
  return (
    <span class="asset-line">
      <bdi class="symbol" title={`${symbol}\n${asset.address}`}>
        {symbol}
      </bdi>
      {tokenId !== undefined && (
        <bdi class="token-id" title={tokenId}>
          #{fold(tokenId, TOKEN_ID_LIMIT)}
        </bdi>
      )}
      {raw && <span class="kind">{l10n.t('raw units')}</span>}
      {asset.isERC1155 && <span class="kind">ERC-1155</span>}
      {asset.isERC721 && <span class="kind">NFT</span>}
      {unreported && (
        <span class="kind odd" title={l10n.t('No event and no call explains this balance change')}>
          <Icon name="warning" /> {l10n.t('unexplained')}
        </span>
      )}
      {measured !== undefined && (
        <span
          class="kind odd"
          title={l10n.t(
            'Events and calls show {0}, but the balance changed by {1}',
            signed(row.plain),
            signed(measured),
          )}
        >
          <Icon name="warning" /> {l10n.t('actually {0}', signed(measured))}
        </span>
      )}
    </span>
  );
}

export function Change({ row }: { row: BalanceRow }): VNode {
  const { plain, inflow, integer, fraction, raw } = row;
  return (
    <>
      <span
        class={`amount ${inflow ? 'inflow' : 'outflow'}`}
        title={raw ? l10n.t('{0} (smallest units: the decimals are not known)', plain) : plain}
      >
        <span class="integer">
          {inflow ? '+' : '−'}
          {grouped(integer)}
        </span>
        <span class="fraction">{fraction && `.${fraction}`}</span>
      </span>
      <CopyButton text={plain} label={l10n.t('Copy amount')} />
    </>
  );
}

export function ChangeUsd({ row: { asset, inflow } }: { row: BalanceRow }): VNode {
  const { price } = asset;
  const hint =
    price &&
    l10n.t('{0} each, by {1}', `$${grouped(price.value)}`, shownText(price.source, SOURCE_LIMIT));
  return (
    <span title={hint}>
      <Usd amount={cents(asset.value)} sign={inflow ? '+' : '−'} />
    </span>
  );
}
