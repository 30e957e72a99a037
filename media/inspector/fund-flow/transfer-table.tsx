import type { VNode } from 'preact';
import type { FundTransfer } from '../../../server/api/views';
import { AddressName } from '../components/address';
import { DataGrid, type Column, type GridRow } from '../components/data-grid';
import { NodeLink } from '../components/node-link';
import { cents, Usd } from '../components/usd';
import { fold, grouped } from '../grammar/text';
import { useInspector } from '../inspector-context';
import { plainAmount, symbolOf } from './edge-text';
import { flowEdges } from './edges';

const COLUMNS: readonly Column[] = [
  { id: 'number', title: '#', width: '40px', align: 'right' },
  { id: 'from', title: 'From', width: 'minmax(0, 1fr)' },
  { id: 'to', title: 'To', width: 'minmax(0, 1fr)' },
  { id: 'amount', title: 'Amount', width: 'minmax(90px, 0.9fr)', align: 'right' },
  { id: 'asset', title: 'Asset', width: 'minmax(60px, 0.6fr)' },
  {
    id: 'usd',
    title: 'USD',
    width: '96px',
    align: 'right',
    wideOnly: true,
    hint: 'At the prices of the block’s time',
  },
  { id: 'node', title: 'Tree', width: '40px', wideOnly: true },
];

/** All transfers in their order: the graph for those who do not see it, and for flows that no graph can show. */
export function TransferTable({ transfers }: { transfers: readonly FundTransfer[] }): VNode {
  const { state } = useInspector();
  const nativeSymbol = state.nativeSymbol.value;

  function gridRow(transfer: FundTransfer): GridRow {
    const { order, from, to, tokenId, nodeId, value } = transfer;
    const [edge] = flowEdges([transfer], false);
    const amount = edge ? plainAmount(edge) : transfer.rawAmount;
    const symbol = symbolOf({ transfer }, nativeSymbol);
    return {
      key: order,
      text: [order + 1, from, to, amount, symbol, tokenId ?? ''].join('\t'),
      open: () => {
        state.showNode(nodeId);
      },
      cells: [
        <span key="number" class="quiet">
          {order + 1}
        </span>,
        <AddressName key="from" address={from} />,
        to === '' ? (
          <span key="to" class="quiet">
            burnt
          </span>
        ) : (
          <AddressName key="to" address={to} />
        ),
        <span key="amount" title={amount}>
          {grouped(amount)}
        </span>,
        <bdi key="asset" title={transfer.asset}>
          {symbol}
          {tokenId !== undefined && <span class="quiet"> #{fold(tokenId, 12)}</span>}
        </bdi>,
        <Usd key="usd" amount={cents(value)} />,
        <NodeLink key="node" id={nodeId}>
          Show
        </NodeLink>,
      ],
    };
  }

  return (
    <DataGrid
      name="transfers"
      label="Transfers"
      columns={COLUMNS}
      count={transfers.length}
      row={(index) => {
        const transfer = transfers[index];
        return transfer ? gridRow(transfer) : { key: index, cells: [], text: '' };
      }}
    />
  );
}
