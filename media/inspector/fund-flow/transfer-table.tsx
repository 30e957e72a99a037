import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { FundTransfer } from '../../../server/api/views';
import { AddressName } from '../components/address';
import type { Column, GridRow } from '../components/data-grid';
import { useWordFilter } from '../components/filter-box';
import { FilteredGrid } from '../components/filtered-grid';
import { Icon } from '../components/icon';
import { NodeLink } from '../components/node-link';
import { Usd } from '../grammar/usd';
import { cents } from '../../../server/presentation/usd';
import { fold, grouped, shortHex } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';
import { assetNames, type AssetNames } from '../../../server/presentation/quantity-segments';
import { isContradicted, transferMark } from '../../../server/presentation/transfer-evidence';
import { plainAmount } from './edge-text';
import { flowEdges } from './edges';

const SYMBOL_LIMIT = 16;

const columns = (): readonly Column[] => [
  { id: 'number', title: '#', width: '40px', align: 'right' },
  { id: 'from', title: l10n.t('From'), width: 'minmax(0, 1fr)' },
  { id: 'to', title: l10n.t('To'), width: 'minmax(0, 1fr)' },
  { id: 'amount', title: l10n.t('Amount'), width: 'minmax(90px, 0.9fr)', align: 'right' },
  { id: 'asset', title: l10n.t('Asset'), width: 'minmax(60px, 0.6fr)' },
  {
    id: 'usd',
    title: l10n.t('USD'),
    width: '96px',
    align: 'right',
    wideOnly: true,
    hint: l10n.t('At the prices of the block’s time'),
  },
  { id: 'node', title: l10n.t('Tree'), width: '40px', wideOnly: true },
];

const NO_USD: ReadonlySet<string> = new Set(['usd']);

/** Marks a transfer that the state contradicts, and one that only an event claims. */
function Mark({ transfer }: { transfer: FundTransfer }): VNode | null {
  const { state } = useInspector();
  const nameOf = (account: string): string => state.names.value(account) ?? shortHex(account);
  const mark = transferMark(transfer, nameOf);
  if (!mark) return null;
  return (
    <span class="kind odd" title={mark.title}>
      {mark.isContradicted && (
        <>
          <Icon name="warning" />{' '}
        </>
      )}
      {mark.text}
    </span>
  );
}

/** The transfers that the filter shows. */
function useShown(
  transfers: readonly FundTransfer[],
  nameOf: AssetNames,
): { text: ReturnType<typeof useWordFilter>['text']; shown: readonly FundTransfer[] } {
  const names = useInspector().state.names.value;
  const { text, matches } = useWordFilter('transfers');
  const shown = useMemo(
    () =>
      transfers.filter((transfer) => {
        const { from, to, asset, symbol, tokenId } = transfer;
        const called = nameOf({ address: asset, symbol });
        return matches([from, names(from), to, names(to), asset, names(asset), called, tokenId]);
      }),
    [transfers, names, nameOf, matches],
  );
  return { text, shown };
}

/** @param symbol name of the asset @param amount in whole units where they are known */
const transferCells = (transfer: FundTransfer, symbol: string, amount: string): VNode[] => {
  const { order, from, to, asset, tokenId, nodeId, value } = transfer;
  return [
    <span key="number" class="quiet">
      {order + 1}
    </span>,
    <AddressName key="from" address={from} />,
    to === '' ? (
      <span key="to" class="quiet">
        {l10n.t('burnt')}
      </span>
    ) : (
      <AddressName key="to" address={to} />
    ),
    <span key="amount" title={amount}>
      {grouped(amount)}
    </span>,
    <bdi key="asset" title={asset}>
      {symbol}
      {tokenId !== undefined && <span class="quiet"> #{fold(tokenId, 12)}</span>}
      <Mark transfer={transfer} />
    </bdi>,
    <Usd key="usd" amount={isContradicted(transfer) ? undefined : cents(value)} />,
    <NodeLink key="node" id={nodeId}>
      {l10n.t('Show')}
    </NodeLink>,
  ];
};

/** All transfers in order: an accessible alternative to the graph, also for flows that are too large for a graph. */
export function TransferTable({
  transfers,
  lead,
}: {
  transfers: readonly FundTransfer[];
  /** Content before the filter. */
  lead: ComponentChildren;
}): VNode {
  const { state } = useInspector();
  const names = state.names.value;
  const nativeSymbol = state.nativeSymbol.value;
  const nameOf = useMemo(
    () => assetNames(names, nativeSymbol, SYMBOL_LIMIT),
    [names, nativeSymbol],
  );
  const { text, shown } = useShown(transfers, nameOf);

  const hasUsd = transfers.some((one) => !isContradicted(one) && one.value !== '');

  function gridRow(transfer: FundTransfer): GridRow {
    const { order, from, to, asset, tokenId, nodeId } = transfer;
    const [edge] = flowEdges([transfer], false);
    const amount = edge ? plainAmount(edge) : transfer.rawAmount;
    const symbol = nameOf({ address: asset, symbol: transfer.symbol });
    return {
      key: order,
      text: [order + 1, from, to, amount, symbol, tokenId ?? ''].join('\t'),
      open: () => {
        state.showNode(nodeId);
      },
      cells: transferCells(transfer, symbol, amount),
    };
  }

  return (
    <FilteredGrid
      name="transfers"
      label={l10n.t('Transfers')}
      columns={columns()}
      empty={hasUsd ? undefined : NO_USD}
      items={shown}
      row={gridRow}
      filter={{
        text,
        label: l10n.t('Filter by account or asset'),
        shown: shown.length,
        total: transfers.length,
      }}
      nothing={l10n.t('No transfer matches the filter.')}
      lead={lead}
    />
  );
}
