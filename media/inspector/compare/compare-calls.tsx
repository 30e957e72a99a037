import { batch } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { isOpen, setOpen } from '../ui-state/expansion';
import { treeMove } from '../call-tree/tree-keys';
import { isLeaf, visiblePosition } from '../model/tree-model';
import { DataGrid, type Column, type GridRow } from '../components/data-grid';
import { Icon } from '../components/icon';
import { Segments } from '../components/segments';
import { rowAsText } from '../copy/row-copies';
import { failureReason, rowSegments } from '../../../server/presentation/lines';
import { grouped } from '../../../server/presentation/text';
import type { FlowRow } from '../protocol/protocol';
import type { InspectorState } from '../ui-state/state';
import type { AlignedRow } from './align-trees';
import type { CompareState } from './compare-state';
import type { Difference } from './differences';

const columns = (): readonly Column[] => [
  { id: 'mark', title: '±', width: '16px', hint: l10n.t('Whether both sides are the same') },
  { id: 'left', title: l10n.t('Left'), width: 'minmax(0, 1fr)' },
  { id: 'leftGas', title: l10n.t('Gas'), width: '76px', align: 'right' },
  { id: 'right', title: l10n.t('Right'), width: 'minmax(0, 1fr)', wideOnly: true },
  { id: 'rightGas', title: l10n.t('Gas'), width: '76px', align: 'right' },
];

/** Levels that are indented. */
const INDENTED_LEVELS = 16;

const words = (): Readonly<Record<Difference, string>> => ({
  only: l10n.t('on one side only'),
  call: l10n.t('another contract, method or caller'),
  arguments: l10n.t('other arguments'),
  value: l10n.t('another value'),
  outcome: l10n.t('another outcome'),
  output: l10n.t('another result'),
  reason: l10n.t('another reason'),
  gas: l10n.t('other gas'),
});

/** The differences of a row in words; empty if there are none. */
export function differenceText(differences: readonly Difference[]): string {
  const all = words();
  return differences.map((difference) => all[difference]).join(', ');
}

function Mark({
  row,
  differences,
  hides,
}: {
  row: AlignedRow;
  differences: readonly Difference[];
  /** The row is closed and contains a difference. */
  hides: boolean;
}): VNode {
  if (row.right < 0) return <Icon name="diff-removed" label={l10n.t('only on the left')} />;
  if (row.left < 0) return <Icon name="diff-added" label={l10n.t('only on the right')} />;
  const listed = differences.filter((difference) => difference !== 'gas');
  if (listed.length > 0) return <Icon name="diff-modified" label={differenceText(listed)} />;
  if (hides) return <Icon name="ellipsis" label={l10n.t('differs inside')} />;
  return <span class="hidden">{l10n.t('same')}</span>;
}

/** The call or event of one side. */
function Line({ row, side }: { row: FlowRow; side: InspectorState }): VNode {
  const reason = row.nodeType === 0 ? failureReason(row.invocation) : '';
  return (
    <>
      {reason !== '' && <Icon name="error" label={l10n.t('failed: {0}', reason)} />}
      <Segments segments={rowSegments(row, side.names.value)} />
    </>
  );
}

function gasText(row: FlowRow | undefined): string {
  return row?.nodeType === 0 ? grouped(String(row.invocation.gasUsed)) : '';
}

/** Button that folds and unfolds a row; an empty space for a leaf. For the mouse only: keyboard and screen reader use the row itself. */
function Twisty({
  isOpen,
  onToggle,
}: {
  isOpen: boolean | undefined;
  onToggle: () => void;
}): VNode {
  if (isOpen === undefined) return <span class="twisty" />;
  return (
    <span
      class="twisty foldable"
      aria-hidden="true"
      onClick={onToggle}
      onDblClick={(event) => {
        event.stopPropagation();
      }}
    >
      <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
    </span>
  );
}

/** The cells of a row of both trees. */
function compareCells(
  { left, right, comparison, hasInnerDifference }: CompareState,
  rowIndex: number,
  { open, onToggle }: { open: boolean | undefined; onToggle: () => void },
): GridRow['cells'] {
  const { row, differences, rowLeft, rowRight } = pairAt({ left, right, comparison }, rowIndex);
  const gas = differences.includes('gas') ? 'compare-gas' : 'quiet';
  const indent = { '--levels': Math.min(row.depth, INDENTED_LEVELS) };
  return [
    <Mark
      key="mark"
      row={row}
      differences={differences}
      hides={open === false && hasInnerDifference(rowIndex)}
    />,
    <span key="left" class="compare-line" style={indent}>
      <Twisty isOpen={open} onToggle={onToggle} />
      {rowLeft && <Line row={rowLeft} side={left} />}
      {!rowLeft && rowRight && (
        <span class="narrow-only">
          <Line row={rowRight} side={right} />
        </span>
      )}
    </span>,
    <span key="leftGas" class={gas}>
      {gasText(rowLeft)}
    </span>,
    rowRight && (
      <span key="right" class="compare-line" style={indent}>
        <Line row={rowRight} side={right} />
      </span>
    ),
    <span key="rightGas" class={gas}>
      {gasText(rowRight)}
    </span>,
  ];
}

interface Pair {
  row: AlignedRow;
  differences: readonly Difference[];
  rowLeft: FlowRow | undefined;
  rowRight: FlowRow | undefined;
}

/** A row of both trees, with the row of each side. */
function pairAt(
  { left, right, comparison }: Pick<CompareState, 'left' | 'right' | 'comparison'>,
  rowIndex: number,
): Pair {
  const row = comparison.value?.rows[rowIndex] ?? { left: -1, right: -1, depth: 0 };
  return {
    row,
    differences: comparison.value?.differences[rowIndex] ?? [],
    rowLeft: left.calls.tree.value.rows[row.left],
    rowRight: right.calls.tree.value.rows[row.right],
  };
}

/** Both call trees merged into one. */
export function CompareCalls({ state }: { state: CompareState }): VNode {
  const { left, right, tree, expansion, visible, selected, wanted } = state;
  const shown = tree.value;
  const selection = {
    // If the selected row is inside a closed row, the selection moves to its visible ancestor.
    get value() {
      return Math.max(0, visiblePosition(visible.value, selected.value));
    },
    set value(index: number) {
      selected.value = visible.value[index] ?? 0;
    },
  };

  function openOf(rowIndex: number): boolean | undefined {
    return isLeaf(shown, rowIndex) ? undefined : isOpen(shown, expansion.value, rowIndex);
  }

  function toggle(rowIndex: number): void {
    const open = openOf(rowIndex);
    if (open === undefined) return;
    batch(() => {
      selected.value = rowIndex;
      expansion.value = setOpen(shown, expansion.value, [rowIndex], !open);
    });
  }

  /** Handles the call tree's navigation keys. Letters have other meanings here, such as N for the next difference. */
  function onTreeKey(key: string, page: number): boolean {
    if (/^[a-z]$/i.test(key)) return false;
    const from = visible.value[selection.value] ?? 0;
    const move = treeMove(key, {
      tree: shown,
      visible: visible.value,
      expansion: expansion.value,
      page,
      selected: from,
    });
    if (!move || 'action' in move) return false;
    batch(() => {
      selected.value = 'selected' in move ? move.selected : from;
      if ('expansion' in move) expansion.value = move.expansion;
    });
    return true;
  }

  function gridRow(rowIndex: number): GridRow {
    const { row, differences, rowLeft, rowRight } = pairAt(state, rowIndex);
    const open = openOf(rowIndex);
    const onToggle = (): void => {
      toggle(rowIndex);
    };
    return {
      key: rowIndex,
      class: differences.some((difference) => difference !== 'gas') ? 'different' : '',
      cells: compareCells(state, rowIndex, { open, onToggle }),
      text: [
        ...(rowLeft ? [`- ${rowAsText(rowLeft, left.names.value)}`] : []),
        ...(rowRight ? [`+ ${rowAsText(rowRight, right.names.value)}`] : []),
      ].join('\n'),
      branch: {
        level: row.depth,
        position: shown.position[rowIndex] ?? 1,
        siblings: shown.siblings[rowIndex] ?? 1,
        isOpen: open,
      },
      open: onToggle,
    };
  }

  return (
    <DataGrid
      name="compare"
      label={l10n.t('Calls of both sides')}
      columns={columns()}
      items={visible.value}
      row={gridRow}
      wanted={wanted}
      selected={selection}
      onTreeKey={onTreeKey}
    />
  );
}
