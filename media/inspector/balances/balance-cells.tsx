import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { CopyButton } from '../components/copy-button';
import { Icon } from '../components/icon';
import { Usd } from '../grammar/usd';
import { cents } from '../../../server/presentation/usd';
import { evidenceText, evidenceTitle } from '../../../server/presentation/change-evidence';
import { signed } from '../../../server/presentation/decimal';
import { fold, grouped, shownText } from '../../../server/presentation/text';
import type { BalanceRow } from '../model/balance-model';

const TOKEN_ID_LIMIT = 12;
const SOURCE_LIMIT = 40;
/** Of an amount in the small table. */
const FRACTION_DIGITS = 6;
const SIGNS = { in: '+', out: '−', none: '' } as const;
const FLOW_CLASSES = { in: 'inflow', out: 'outflow', none: 'quiet' } as const;

/** Every change shows its sign, because colour alone is not accessible. */
export const signOf = (change: bigint): '+' | '−' => (change < 0n ? '−' : '+');

/** Marks a change that is not simply measured. */
function EvidenceMark({ row }: Props): VNode | null {
  const { evidence, claimed = '' } = row;
  if (evidence === 'measured') return null;
  return (
    <span class="kind odd" title={evidenceTitle(row)}>
      {evidence !== 'claimed' && (
        <>
          <Icon name="warning" />{' '}
        </>
      )}
      {evidenceText(evidence, signed(claimed))}
    </span>
  );
}

interface Props {
  row: BalanceRow;
}

/** The asset's symbol, token id and kind, with a note if the change needs attention. */
export function AssetName({ row }: Props): VNode {
  const { asset, symbol, raw } = row;
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
      <EvidenceMark row={row} />
    </span>
  );
}

export function Change({ row }: Props): VNode {
  const { plain, direction, integer, fraction, raw } = row;
  return (
    <>
      <span
        class={`amount ${FLOW_CLASSES[direction]}`}
        title={raw ? l10n.t('{0} (smallest units: the decimals are not known)', plain) : plain}
      >
        <span class="integer">
          {SIGNS[direction]}
          {grouped(integer)}
        </span>
        <span class="fraction">{fraction && `.${fraction}`}</span>
      </span>
      <CopyButton text={plain} label={l10n.t('Copy amount')} />
    </>
  );
}

/** The change with the first digits of its fraction; the tooltip has all. */
export function ShortChange({ row }: Props): VNode {
  const { plain, direction, integer, fraction } = row;
  const shown = fold(fraction, FRACTION_DIGITS);
  return (
    <span class={`number ${FLOW_CLASSES[direction]}`} title={plain}>
      {SIGNS[direction]}
      {grouped(integer)}
      {shown && `.${shown}`}
    </span>
  );
}

export function ChangeUsd({ row: { asset, value, direction } }: Props): VNode {
  const { price } = asset;
  const hint =
    price &&
    l10n.t('{0} each, by {1}', `$${grouped(price.value)}`, shownText(price.source, SOURCE_LIMIT));
  return (
    <span title={hint}>
      <Usd amount={cents(value)} sign={SIGNS[direction]} />
    </span>
  );
}
