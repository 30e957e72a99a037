import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { Address } from '../components/address';
import { ChangeButton } from '../components/change-button';
import type { Column, GridRow } from '../components/data-grid';
import { useWordFilter } from '../components/filter-box';
import { FilteredGrid } from '../components/filtered-grid';
import { PartView } from '../components/part-view';
import { Segments } from '../components/segments';
import { plainText, type Segment } from '../../../server/presentation/segment';
import { grouped, shownText } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';
import { useHasWriters, WriterButton, writerColumn } from '../components/writer-button';
import type { Parts, WrittenPart } from '../protocol/protocol';
import { stateRows, type StateRow } from './state-rows';

const TITLE_LIMIT = 600;
/** Differences are worked out when they are shown: of more rows, not all are looked at. */
const MANY = 1000;

const columns = (): readonly Column[] => [
  { id: 'what', title: l10n.t('Account and what changed'), width: 'minmax(0, 1.2fr)' },
  { id: 'before', title: l10n.t('Before'), width: 'minmax(0, 1fr)' },
  { id: 'after', title: l10n.t('After'), width: 'minmax(0, 1fr)' },
  {
    id: 'difference',
    title: l10n.t('Difference'),
    width: 'minmax(0, 1fr)',
    align: 'right',
    wideOnly: true,
  },
  writerColumn(),
];

function Line({ segments }: { segments: readonly Segment[] }): VNode {
  // Full values as copied, but words in the user's language.
  const whole = segments.map(({ kind, text, plain }) =>
    kind === 'quiet' ? text : (plain ?? text),
  );
  return (
    <span class="line" title={shownText(whole.join(''), TITLE_LIMIT)}>
      <Segments segments={segments} isLine />
    </span>
  );
}

/**
 * @param hasDifferences otherwise the column of the differences, which also counts the changes, is left out
 * @param goToWriter goes to what wrote a part of the state
 */
function gridRow(
  row: StateRow,
  index: number,
  hasDifferences: boolean,
  goToWriter: ((part: WrittenPart) => void) | undefined,
): GridRow {
  if (row.kind === 'account') {
    const { address, created, destroyed } = row.account;
    const count =
      row.changes === 1 ? l10n.t('1 change') : l10n.t('{0} changes', grouped(String(row.changes)));
    const stateNotes = [
      ...(created ? [l10n.t('created')] : []),
      ...(destroyed ? [l10n.t('destroyed')] : []),
      ...(hasDifferences ? [] : [count]),
    ];
    return {
      key: address,
      class: 'group',
      text: address,
      cells: [
        <Address key="what" address={address} />,
        <span key="fate" class="quiet">
          {stateNotes.join(', ')}
        </span>,
        '',
        <span key="count" class="quiet">
          {count}
        </span>,
        '',
      ],
    };
  }
  const { address, name, before, after, difference = '', expression } = row;
  return {
    key: `${row.address} ${index}`,
    class: 'inner',
    text: `${row.address} ${plainText(name)}: ${plainText(before)} → ${plainText(after)}`,
    ...(goToWriter && {
      open: () => {
        goToWriter(row.part);
      },
    }),
    cells: [
      <span key="name" class="dated">
        <Line segments={name} />
        <ChangeButton expression={expression} contract={address} />
      </span>,
      <Line key="before" segments={before} />,
      <Line key="after" segments={after} />,
      <span key="difference" title={difference}>
        {difference}
      </span>,
      <WriterButton key="writer" part={row.part} />,
    ],
  };
}

function StateTable({ state: diff }: { state: Parts['stateDiff'] }): VNode {
  const { state, post } = useInspector();
  const hasWriters = useHasWriters();
  const names = state.names.value;
  const nativeSymbol = state.nativeSymbol.value;
  const { text, matches } = useWordFilter('state');
  const rows = useMemo(
    () =>
      stateRows(diff.accounts, { names, nativeSymbol }, ({ address }, name) =>
        matches([address, names(address), plainText(name), name.map((s) => s.text).join('')]),
      ),
    [diff, names, nativeSymbol, matches],
  );
  if (diff.accounts.length === 0)
    return <p class="empty">{l10n.t('Nothing in the state changed.')}</p>;
  const hasDifferences =
    rows.length > MANY ||
    rows.some((row) => row.kind !== 'account' && (row.difference ?? '') !== '');
  const goToWriter = (part: WrittenPart): void => {
    post({ type: 'goToWriter', written: part });
  };
  const empty = new Set([
    ...(hasDifferences ? [] : ['difference']),
    ...(hasWriters ? [] : ['writer']),
  ]);
  return (
    <FilteredGrid
      name="state"
      label={l10n.t('State before and after')}
      columns={columns()}
      items={rows}
      empty={empty}
      row={(row, index) => gridRow(row, index, hasDifferences, hasWriters ? goToWriter : undefined)}
      filter={{
        text,
        label: l10n.t('Filter by account or variable'),
        total: diff.accounts.length,
        shown: rows.filter(({ kind }) => kind === 'account').length,
      }}
      nothing={l10n.t('No account and no variable matches the filter.')}
    />
  );
}

/** Balances, nonces, code and storage before and after, by account. */
export function StateTab(): VNode {
  return (
    <PartView part="stateDiff" loading={l10n.t('Loading the state before and after…')}>
      {(stateDiff) => <StateTable state={stateDiff} />}
    </PartView>
  );
}
