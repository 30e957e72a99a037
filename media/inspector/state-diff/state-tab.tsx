import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { Address } from '../components/address';
import type { Column, GridRow } from '../components/data-grid';
import { useWordFilter } from '../components/filter-box';
import { FilteredGrid } from '../components/filtered-grid';
import { PartView } from '../components/part-view';
import { Segments } from '../components/segments';
import { plainText, type Segment } from '../grammar/segment';
import { plural, shownText } from '../grammar/text';
import { useInspector } from '../inspector-context';
import type { Parts } from '../protocol';
import { stateRows, type StateRow } from './state-rows';

const TITLE_LIMIT = 600;

const COLUMNS: readonly Column[] = [
  { id: 'what', title: 'Account and what changed', width: 'minmax(0, 1.4fr)' },
  { id: 'before', title: 'Before', width: 'minmax(0, 1fr)' },
  { id: 'after', title: 'After', width: 'minmax(0, 1fr)' },
  {
    id: 'difference',
    title: 'Difference',
    width: 'minmax(0, 0.8fr)',
    align: 'right',
    wideOnly: true,
  },
];

function Line({ segments }: { segments: readonly Segment[] }): VNode {
  return (
    <span title={shownText(plainText(segments), TITLE_LIMIT)}>
      <Segments segments={segments} />
    </span>
  );
}

function gridRow(row: StateRow, index: number): GridRow {
  if (row.kind === 'account') {
    const { address, created, destroyed } = row.account;
    const fate = [...(created ? ['created'] : []), ...(destroyed ? ['destroyed'] : [])];
    return {
      key: address,
      class: 'group',
      text: address,
      cells: [
        <Address key="what" address={address} />,
        <span key="fate" class="quiet">
          {fate.join(', ')}
        </span>,
        '',
        <span key="count" class="quiet">
          {plural(row.changes, 'change')}
        </span>,
      ],
    };
  }
  const { name, before, after, difference = '' } = row;
  return {
    key: `${row.address} ${index}`,
    class: 'inner',
    text: `${row.address} ${plainText(name)}: ${plainText(before)} → ${plainText(after)}`,
    cells: [
      <Line key="name" segments={name} />,
      <Line key="before" segments={before} />,
      <Line key="after" segments={after} />,
      <span key="difference" title={difference}>
        {difference}
      </span>,
    ],
  };
}

function StateTable({ state: diff }: { state: Parts['stateDiff'] }): VNode {
  const { state } = useInspector();
  const names = state.names.value;
  const { text, matches } = useWordFilter('state');
  const rows = useMemo(
    () =>
      stateRows(diff.accounts, names, ({ address }, name) =>
        matches([address, names(address), plainText(name), name.map((s) => s.text).join('')]),
      ),
    [diff, names, matches],
  );
  if (diff.accounts.length === 0) return <p class="empty">Nothing in the state changed.</p>;
  return (
    <FilteredGrid
      name="state"
      label="State before and after"
      columns={COLUMNS}
      items={rows}
      row={gridRow}
      filter={{
        ...{ text, label: 'Filter by account or variable', total: diff.accounts.length },
        shown: rows.filter(({ kind }) => kind === 'account').length,
      }}
      nothing="No account and no variable matches the filter."
    />
  );
}

/** Balances, nonces, code and storage before and after, by account. */
export function StateTab(): VNode {
  return (
    <PartView part="stateDiff" what="the state before and after">
      {(stateDiff) => <StateTable state={stateDiff} />}
    </PartView>
  );
}
