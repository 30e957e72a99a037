import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { Address, AddressName } from '../components/address';
import { ChangeButton } from '../components/change-button';
import { CopyButton } from '../components/copy-button';
import type { Column, GridRow, Order } from '../components/data-grid';
import { useWordFilter } from '../components/filter-box';
import { FilteredGrid } from '../components/filtered-grid';
import { PartView } from '../components/part-view';
import { Usd } from '../grammar/usd';
import { csv } from '../export/csv';
import { markdownTable } from '../export/markdown';
import { balancesTable, type Table } from '../export/tables';
import { NATIVE_ASSET } from '../../../server/api/native-asset';
import { useInspector } from '../ui-state/inspector-context';
import { extremes, type Extreme } from '../model/highlights';
import { useHasWriters, WriterButton, writerColumn } from '../components/writer-button';
import type { Parts, WrittenPart } from '../protocol/protocol';
import { evidenceText } from '../../../server/presentation/change-evidence';
import { assetNames } from '../../../server/presentation/quantity-segments';
import { AssetName, Change, ChangeUsd, signOf } from './balance-cells';
import {
  balanceGroups,
  orderedGroups,
  widestFraction,
  type BalanceGroup,
  type BalanceRow,
} from '../model/balance-model';

const SYMBOL_LIMIT = 32;

const columns = (): readonly Column[] => [
  { id: 'account', title: l10n.t('Account and asset'), width: 'minmax(0, 1fr)', sorts: 'up' },
  { id: 'change', title: l10n.t('Change'), width: 'var(--change)', align: 'right' },
  {
    id: 'usd',
    title: l10n.t('USD at block'),
    width: 'var(--usd)',
    align: 'right',
    sorts: 'down',
    hint: l10n.t("At the prices of the block's time"),
  },
  writerColumn(),
];

/** A balance of the native asset, or in a token. */
function partOf(account: string, { asset, symbol, rawChange }: BalanceRow): WrittenPart {
  const { address, tokenId } = asset;
  const label = l10n.t('balance in {0}', symbol);
  if (address === NATIVE_ASSET) return { label, query: { address: account, of: 'balance' } };
  const ofToken = { address: account, asset: address, change: rawChange };
  const query = tokenId === undefined ? ofToken : { ...ofToken, tokenId };
  return { label, query, type: tokenId === undefined ? 'uint256' : '' };
}

/** An account, or one of its assets. */
interface Line {
  group: BalanceGroup;
  row?: BalanceRow;
}

function Extremes({ balances }: { balances: Parts['balanceChange'] }): VNode | null {
  const { gain, loss } = useMemo(() => extremes(balances), [balances]);
  if (!gain && !loss) return null;
  const part = (what: string, { account, total, evidence }: Extreme): VNode => (
    <span class="extreme">
      <span class="quiet">{what}</span> <AddressName address={account} />{' '}
      <span class={total < 0n ? 'outflow' : 'inflow'}>
        <Usd amount={total < 0n ? -total : total} sign={signOf(total)} />
      </span>
      {evidence === 'claimed' && <span class="kind odd">{evidenceText(evidence, '')}</span>}
    </span>
  );
  return (
    <>
      {gain && part(l10n.t('Biggest gain'), gain)}
      {loss && part(l10n.t('Biggest loss'), loss)}
    </>
  );
}

/** What the account holds of the asset, in Solidity over the state. */
function heldBy(account: string, { asset }: BalanceRow): string {
  const { address, tokenId, isERC721 } = asset;
  if (address === NATIVE_ASSET) return `${account}.balance`;
  if (tokenId === undefined) return `${address}.balanceOf(${account})`;
  return isERC721
    ? `${address}.ownerOf(${tokenId})`
    : `${address}.balanceOf(${account}, ${tokenId})`;
}

function gridRow({ group, row }: Line, index: number): GridRow {
  if (row) {
    return {
      key: `${group.account} ${index}`,
      class: 'inner',
      text: `${group.account}\t${row.symbol}\t${row.plain}`,
      cells: [
        <span key="asset" class="dated">
          <AssetName row={row} />
          <ChangeButton expression={heldBy(group.account, row)} />
        </span>,
        <Change key="change" row={row} />,
        <ChangeUsd key="usd" row={row} />,
        <WriterButton key="writer" part={partOf(group.account, row)} />,
      ],
    };
  }
  const { account, total, rows } = group;
  return {
    key: account,
    class: 'group',
    text: account,
    cells: [
      <Address key="account" address={account} />,
      '',
      total !== undefined && rows.length > 1 && (
        <span key="usd">
          <Usd amount={total < 0n ? -total : total} sign={signOf(total)} />
        </span>
      ),
      '',
    ],
  };
}

function Balances({ balances }: { balances: Parts['balanceChange'] }): VNode {
  const hasWriters = useHasWriters();
  const { state } = useInspector();
  const names = state.names.value;
  const { text, matches } = useWordFilter('balances');
  const order = state.persistentSignal<Order | undefined>('balances.order', undefined);
  const nativeSymbol = state.nativeSymbol.value;
  const groups = useMemo(
    () => balanceGroups(balances, assetNames(names, nativeSymbol, SYMBOL_LIMIT)),
    [balances, names, nativeSymbol],
  );
  const lines = useMemo(() => {
    const nameOf = (account: string): string => names(account) ?? account;
    return orderedGroups(groups, order.value, nameOf).flatMap((group): Line[] => {
      const { account } = group;
      const rows = group.rows.filter(({ symbol, asset }) =>
        matches([account, names(account), symbol, asset.address, names(asset.address)]),
      );
      return rows.length === 0 ? [] : [{ group }, ...rows.map((row) => ({ group, row }))];
    });
  }, [groups, order.value, names, matches]);
  if (groups.length === 0) {
    return (
      <p class="empty">
        {[
          l10n.t('No balance changed.'),
          ...(balances.status
            ? []
            : [l10n.t('The transaction failed, so its transfers were undone.')]),
          l10n.t('Fees are not counted.'),
        ].join(' ')}
      </p>
    );
  }
  const empty = new Set<string>();
  if (!hasWriters) empty.add('writer');
  const hasUsd = groups.some(({ rows }) => rows.some(({ value }) => value !== ''));
  if (!hasUsd) empty.add('usd');
  const table = (): Table => balancesTable(balances, names);
  return (
    <div class="balances" style={{ '--fraction': `${widestFraction(groups) + 1}ch` }}>
      <FilteredGrid
        name="balances"
        label={l10n.t('Balance changes')}
        columns={columns()}
        empty={empty}
        items={lines}
        order={order}
        row={gridRow}
        filter={{
          text,
          label: l10n.t('Filter by account or asset'),
          shown: lines.filter(({ row }) => row).length,
          total: groups.reduce((sum, { rows }) => sum + rows.length, 0),
        }}
        nothing={l10n.t('No account and no asset matches the filter.')}
      >
        <Extremes balances={balances} />
        <span class="space" />
        <CopyButton icon="table" label={l10n.t('Copy as CSV')} text={() => csv(table())} />
        <CopyButton
          icon="markdown"
          label={l10n.t('Copy as Markdown')}
          text={() => markdownTable(table())}
        />
      </FilteredGrid>
    </div>
  );
}

/** Shows the net gains and losses of each account, by asset. */
export function BalancesTab(): VNode {
  return (
    <PartView part="balanceChange" loading={l10n.t('Loading balance changes…')}>
      {(balances) => <Balances balances={balances} />}
    </PartView>
  );
}
