import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { Address } from '../components/address';
import { DataGrid, type Column, type GridRow, type Order } from '../components/data-grid';
import { grouped, shownText } from '../grammar/text';
import { useInspector } from '../inspector-context';
import type { Parts } from '../protocol';

const NAME_LIMIT = 60;
const TITLE_LIMIT = 600;

const COLUMNS: readonly Column[] = [
  { id: 'name', title: 'Contract and method', width: 'minmax(0, 1fr)' },
  { id: 'calls', title: 'Calls', width: '64px', align: 'right', sorts: 'down', wideOnly: true },
  {
    id: 'selfGas',
    title: 'Self gas',
    width: '90px',
    align: 'right',
    sorts: 'down',
    hint: 'Without the calls below',
  },
  { id: 'share', title: 'Share', width: '64px', align: 'right', hint: 'Of the gas of all frames' },
  {
    id: 'totalGas',
    title: 'Total gas',
    width: '90px',
    align: 'right',
    sorts: 'down',
    wideOnly: true,
    hint: 'With the calls below',
  },
];

interface Sums {
  calls: number;
  selfGas: number;
  totalGas: number;
}
type Measure = keyof Sums;
type Entry = Sums & ({ address: string } | { of: string; method: string; selector: string });

/** Contracts, each with its methods behind it, both in the same order. */
export function gasEntries(
  contracts: Parts['gasProfile']['contracts'],
  order: Order | undefined,
): Entry[] {
  const measure = (order?.column ?? 'selfGas') as Measure;
  const sign = order?.direction === 'up' ? -1 : 1;
  const sorted = <T extends Sums>(all: readonly T[]): T[] =>
    all.toSorted((a, b) => sign * (b[measure] - a[measure]));
  return sorted(contracts).flatMap(({ address, methods, ...sums }) => [
    { address, ...sums },
    ...sorted(methods).map(({ selector, method, ...own }) => ({
      of: address,
      selector,
      method,
      ...own,
    })),
  ]);
}

/** `12.3 %`; of less than a thousandth nothing. */
function share(part: number, whole: number): string {
  const percent = (100 * part) / whole;
  return whole > 0 && percent >= 0.05 ? `${percent.toFixed(1)} %` : '';
}

export function GasTable({ profile }: { profile: Parts['gasProfile'] }): VNode {
  const { state } = useInspector();
  const order = state.keep<Order | undefined>('gas.order', undefined);
  const entries = useMemo(() => gasEntries(profile.contracts, order.value), [profile, order.value]);
  const whole = profile.contracts.reduce((sum, { selfGas }) => sum + Math.max(0, selfGas), 0);

  function gridRow(entry: Entry): GridRow {
    const { calls, selfGas, totalGas } = entry;
    const numbers = [calls, selfGas, totalGas].map((number) => grouped(String(number)));
    const isContract = 'address' in entry;
    const name = isContract
      ? (state.names.value(entry.address) ?? entry.address)
      : entry.method || entry.selector || 'creation';
    return {
      key: isContract ? entry.address : `${entry.of} ${entry.selector}`,
      class: isContract ? 'group' : 'inner',
      text: `${name}\t${calls}\t${selfGas}\t${totalGas}`,
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
        numbers[0],
        numbers[1],
        share(selfGas, whole),
        numbers[2],
      ],
    };
  }

  return (
    <DataGrid
      name="gas"
      label="Gas by contract and method"
      columns={COLUMNS}
      count={entries.length}
      order={order}
      row={(index) => {
        const entry = entries[index];
        return entry ? gridRow(entry) : { key: index, cells: [], text: '' };
      }}
    />
  );
}
