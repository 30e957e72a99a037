import type { VNode } from 'preact';
import { DataGrid, type Column, type GridRow } from '../components/data-grid';
import { Icon } from '../components/icon';
import { Segments } from '../components/segments';
import { rowAsText } from '../copy/row-copies';
import { failureReason, rowSegments } from '../grammar/lines';
import { grouped } from '../grammar/text';
import type { FlowRow } from '../protocol';
import type { InspectorState } from '../state';
import type { AlignedRow } from './align-trees';
import { GRID_NAME, type CompareState } from './compare-state';
import type { Difference } from './differences';

const COLUMNS: readonly Column[] = [
  { id: 'mark', title: '±', width: '16px', hint: 'Whether both sides are the same' },
  { id: 'left', title: 'Left', width: 'minmax(0, 1fr)' },
  { id: 'leftGas', title: 'Gas', width: '76px', align: 'right' },
  { id: 'right', title: 'Right', width: 'minmax(0, 1fr)', wideOnly: true },
  { id: 'rightGas', title: 'Gas', width: '76px', align: 'right' },
];

const WORDS: Readonly<Record<Difference, string>> = {
  only: 'on one side only',
  call: 'another contract, method or caller',
  arguments: 'other arguments',
  value: 'another value',
  outcome: 'another outcome',
  output: 'another result',
  reason: 'another reason',
  gas: 'other gas',
};

/** In what a row differs, in words; empty where it does not. */
export function differenceText(differences: readonly Difference[]): string {
  return differences.map((difference) => WORDS[difference]).join(', ');
}

function Mark({
  row,
  differences,
}: {
  row: AlignedRow;
  differences: readonly Difference[];
}): VNode {
  if (row.right < 0) return <Icon name="diff-removed" label="only on the left" />;
  if (row.left < 0) return <Icon name="diff-added" label="only on the right" />;
  const told = differences.filter((difference) => difference !== 'gas');
  return told.length > 0 ? (
    <Icon name="diff-modified" label={differenceText(told)} />
  ) : (
    <span class="hidden">same</span>
  );
}

/** The call of one side; of two that read the same, the right one is dimmed. */
function Line({ row, depth, side }: { row: FlowRow; depth: number; side: InspectorState }): VNode {
  const reason = row.nodeType === 0 ? failureReason(row.invocation) : '';
  return (
    <span class="compare-line" style={{ '--levels': Math.min(depth, 16) }}>
      {reason !== '' && <Icon name="error" label={`failed: ${reason}`} />}
      <Segments segments={rowSegments(row, side.names.value)} />
    </span>
  );
}

function gasText(row: FlowRow | undefined): string {
  return row?.nodeType === 0 ? grouped(String(row.invocation.gasUsed)) : '';
}

/** Both call trees as one list. */
export function CompareCalls({ state }: { state: CompareState }): VNode {
  const { left, right, comparison, shown, wanted } = state;
  const all = comparison.value;

  function gridRow(index: number): GridRow {
    const place = shown.value[index] ?? 0;
    const row = all?.rows[place] ?? { left: -1, right: -1, depth: 0 };
    const differences = all?.differences[place] ?? [];
    const rowLeft = left.calls.tree.value.rows[row.left];
    const rowRight = right.calls.tree.value.rows[row.right];
    const gas = differences.includes('gas') ? 'compare-gas' : 'quiet';
    const told = differences.some((difference) => difference !== 'gas');
    return {
      key: place,
      class: told ? 'different' : '',
      cells: [
        <Mark key="mark" row={row} differences={differences} />,
        rowLeft && <Line row={rowLeft} depth={row.depth} side={left} />,
        <span key="leftGas" class={gas}>
          {gasText(rowLeft)}
        </span>,
        rowRight && <Line row={rowRight} depth={row.depth} side={right} />,
        <span key="rightGas" class={gas}>
          {gasText(rowRight)}
        </span>,
      ],
      text: [
        ...(rowLeft ? [`- ${rowAsText(rowLeft, left.names.value)}`] : []),
        ...(rowRight ? [`+ ${rowAsText(rowRight, right.names.value)}`] : []),
      ].join('\n'),
    };
  }

  return (
    <DataGrid
      name={GRID_NAME}
      label="Calls of both sides"
      columns={COLUMNS}
      count={shown.value.length}
      row={gridRow}
      wanted={wanted}
    />
  );
}
