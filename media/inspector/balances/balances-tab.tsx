import type { VNode } from 'preact';
import type { BalanceChange } from '../../../server/api/explorer';
import { Address } from '../components/address';
import { CopyButton } from '../components/copy-button';
import { PartView } from '../components/part-view';
import { fold, grouped } from '../grammar/text';
import { useInspector } from '../inspector-context';
import {
  balanceGroups,
  cents,
  widestFraction,
  type BalanceGroup,
  type BalanceRow,
} from './balance-model';

/** Signed: `−$1,234.50`. */
function usd(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '−' : '+'}$${grouped(`${digits.slice(0, -2)}.${digits.slice(-2)}`)}`;
}

/** No price is not a price of zero. */
function Usd({ amount, inflow }: { amount: bigint | undefined; inflow: boolean }): VNode {
  if (amount === undefined)
    return (
      <span class="quiet" title="No price is known">
        –
      </span>
    );
  if (amount === 0n) return <span class="quiet number">&lt;$0.01</span>;
  return <span class="number">{usd(inflow ? amount : -amount)}</span>;
}

function Amount({ row }: { row: BalanceRow }): VNode {
  return (
    <span
      class={`amount ${row.inflow ? 'inflow' : 'outflow'}`}
      title={row.raw ? `${row.plain} (smallest units: the decimals are not known)` : row.plain}
    >
      <span class="integer">
        {row.inflow ? '+' : '−'}
        {grouped(row.integer)}
      </span>
      <span class="fraction">{row.fraction && `.${row.fraction}`}</span>
    </span>
  );
}

function AssetRow({ row }: { row: BalanceRow }): VNode {
  const { tokenId } = row.asset;
  return (
    <tr>
      <td class="asset">
        <div class="asset-line">
          <bdi class="symbol" title={row.asset.address}>
            {row.symbol}
          </bdi>
          {tokenId !== undefined && (
            <bdi class="token-id" title={tokenId}>
              #{fold(tokenId, 12)}
            </bdi>
          )}
          {row.raw && <span class="kind">raw units</span>}
          {row.asset.isERC1155 && <span class="kind">ERC-1155</span>}
          {row.asset.isERC721 && <span class="kind">NFT</span>}
        </div>
      </td>
      <td class="change">
        <Amount row={row} />
        <CopyButton text={row.plain} what="amount" />
      </td>
      <td class="usd">
        <Usd amount={cents(row.asset.value)} inflow={row.inflow} />
      </td>
    </tr>
  );
}

function Account({ group }: { group: BalanceGroup }): VNode {
  return (
    <tbody>
      <tr class="account">
        <th scope="rowgroup" colSpan={2}>
          <Address address={group.account} />
        </th>
        <td class="usd">
          {group.total !== undefined && group.rows.length > 1 && (
            <span class="number">{usd(group.total)}</span>
          )}
        </td>
      </tr>
      {group.rows.map((row, index) => (
        <AssetRow key={index} row={row} />
      ))}
    </tbody>
  );
}

function BalanceTable({ balances }: { balances: BalanceChange }): VNode {
  const { state } = useInspector();
  const groups = balanceGroups(balances, state.nativeSymbol.value);
  if (groups.length === 0) {
    return (
      <p class="empty">
        No balance changed.{' '}
        {!balances.status && 'The transaction failed, so its transfers were undone. '}
        Fees are not counted.
      </p>
    );
  }
  return (
    <div class="scroller" tabIndex={0} role="region" aria-label="Balance changes">
      <table class="balances" style={{ '--fraction': `${widestFraction(groups) + 1}ch` }}>
        <thead>
          <tr>
            <th scope="col">Account and asset</th>
            <th scope="col" class="change">
              Change
            </th>
            <th scope="col" class="usd" title="At the prices of the block's time">
              USD at block
            </th>
          </tr>
        </thead>
        {groups.map((group) => (
          <Account key={group.account} group={group} />
        ))}
      </table>
    </div>
  );
}

/** Who gained and who lost what, net, per account and asset. */
export function BalancesTab(): VNode {
  return (
    <PartView part="balanceChange" what="balance changes">
      {(balances) => <BalanceTable balances={balances} />}
    </PartView>
  );
}
