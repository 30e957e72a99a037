import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { Address } from '../components/address';
import { DataGrid, type Column, type GridRow, type Order } from '../components/data-grid';
import type { WordFilter } from '../components/filter-box';
import { grouped, shownText } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';
import type { Parts } from '../protocol/protocol';
import type { FrameNames } from './frame-names';
import { Gas } from './self-gas';

const NAME_LIMIT = 60;
const TITLE_LIMIT = 600;

const columns = (): readonly Column[] => [
  { id: 'name', title: l10n.t('Contract and method'), width: 'minmax(0, 1fr)' },
  {
    id: 'calls',
    title: l10n.t('Calls'),
    width: '64px',
    align: 'right',
    sorts: 'down',
    wideOnly: true,
  },
  {
    id: 'selfGas',
    title: l10n.t('Self gas'),
    width: '90px',
    align: 'right',
    sorts: 'down',
    hint: l10n.t('Without the calls below'),
  },
  {
    id: 'share',
    title: l10n.t('Share'),
    width: '64px',
    align: 'right',
    hint: l10n.t('Of the gas of all frames'),
  },
  {
    id: 'totalGas',
    title: l10n.t('Total gas'),
    width: '90px',
    align: 'right',
    sorts: 'down',
    wideOnly: true,
    hint: l10n.t('With the calls below'),
  },
];

const NO_SHARE: ReadonlySet<string> = new Set(['share']);
const NO_SELF_GAS: ReadonlySet<string> = new Set(['selfGas', 'share']);

interface Sums {
  calls: number;
  selfGas: number | null;
  totalGas: number | null;
}
type Measure = keyof Sums;
type Method = Pick<
  Parts['gasProfile']['contracts'][number]['methods'][number],
  'method' | 'selector' | 'isGuessed'
>;
type Entry = Sums & ({ address: string } | (Method & { of: string }));

/**
 * Contracts, each followed by its methods, both in the same order.
 * @param matches selects the methods to keep; a contract is kept if one of its methods is
 */
export function gasEntries(
  contracts: Parts['gasProfile']['contracts'],
  order: Order | undefined,
  matches: (address: string, method: Method) => boolean,
): Entry[] {
  const measure = (order?.column ?? 'selfGas') as Measure;
  const sign = order?.direction === 'up' ? -1 : 1;
  const sorted = <T extends Sums>(all: readonly T[]): T[] =>
    all.toSorted((a, b) => sign * ((b[measure] ?? Infinity) - (a[measure] ?? Infinity)) || 0);
  return sorted(contracts).flatMap(({ address, methods, ...sums }): Entry[] => {
    const kept = methods.filter((method) => matches(address, method));
    if (kept.length === 0) return [];
    return [{ address, ...sums }, ...sorted(kept).map((own) => ({ of: address, ...own }))];
  });
}

/** `12.3 %`; empty below 0.05 %. */
function share(part: number | null, whole: number | null): string {
  if (part === null || whole === null) return '';
  const percent = (100 * part) / whole;
  return whole > 0 && percent >= 0.05 ? `${percent.toFixed(1)} %` : '';
}

/** Where the node counts in a way from which the gas of a call alone cannot be known. */
function emptyColumns(
  entries: readonly Entry[],
  whole: number | null,
): ReadonlySet<string> | undefined {
  if (entries.every(({ selfGas }) => selfGas === null)) return NO_SELF_GAS;
  return entries.every(({ selfGas }) => share(selfGas, whole) === '') ? NO_SHARE : undefined;
}

interface GasTableProps {
  profile: Parts['gasProfile'];
  called: FrameNames;
  /** The filter of the flame graph. */
  matches: WordFilter['matches'];
}

export function GasTable({ profile, called, matches }: GasTableProps): VNode {
  const { state } = useInspector();
  const order = state.persistentSignal<Order | undefined>('gas.order', undefined);
  const names = state.names.value;
  const entries = useMemo(
    () =>
      gasEntries(profile.contracts, order.value, (address, method) =>
        matches([names(address), address, called.method(address, method), method.selector]),
      ),
    [profile, order.value, names, called, matches],
  );
  const whole = profile.executionGas;

  function gridRow(entry: Entry): GridRow {
    const { calls, selfGas, totalGas } = entry;
    const isContract = 'address' in entry;
    const name = isContract
      ? (names(entry.address) ?? entry.address)
      : called.method(entry.of, entry);
    return {
      key: isContract ? entry.address : `${entry.of} ${entry.selector}`,
      class: isContract ? 'group' : 'inner',
      text: `${name}\t${calls}\t${selfGas ?? ''}\t${totalGas ?? ''}`,
      cells: [
        isContract ? (
          <Address key="name" address={entry.address} />
        ) : (
          <bdi
            key="name"
            class="method"
            title={`${shownText(name, TITLE_LIMIT)}\n${entry.selector}`}
          >
            {shownText(name, NAME_LIMIT)}
          </bdi>
        ),
        grouped(String(calls)),
        <Gas key="selfGas" gas={selfGas} />,
        share(selfGas, whole),
        <Gas key="totalGas" gas={totalGas} />,
      ],
    };
  }

  if (entries.length === 0)
    return <p class="empty">{l10n.t('No contract and no method matches.')}</p>;
  return (
    <DataGrid
      name="gas"
      label={l10n.t('Gas by contract and method')}
      columns={columns()}
      empty={emptyColumns(entries, whole)}
      items={entries}
      order={order}
      row={gridRow}
    />
  );
}
