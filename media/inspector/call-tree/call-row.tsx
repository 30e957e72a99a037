import { batch } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useInspector } from '../inspector-context';
import type { FlowRow } from '../protocol';
import { isOpen, setOpen } from './expansion';
import { RowLine, rowOutcome, useRowLine } from './row-line';
import { isLeaf, visiblePosition } from './tree-model';

export function rowId(index: number): string {
  return `row-${index}`;
}

function useRow(index: number): { row: FlowRow | undefined; level: number; open?: boolean } {
  const { calls } = useInspector().state;
  const tree = calls.shownTree.value;
  return {
    row: calls.rowAt(index),
    level: tree.level[index] ?? 0,
    ...(!isLeaf(tree, index) && { open: isOpen(tree, calls.expansion.value, index) }),
  };
}

interface RowProps {
  index: number;
  /** Pixels from the top of the tree. */
  top: number;
  onMenu: (index: number, event: MouseEvent) => void;
}

/** A row of the tree. */
export function CallRow(props: RowProps): VNode | null {
  const { row, ...rest } = useRow(props.index);
  return row ? <ShownRow {...props} {...rest} row={row} /> : null;
}

type ShownRowProps = RowProps & { row: FlowRow; level: number; open?: boolean };

function ShownRow({ index, top, onMenu, row, level, open }: ShownRowProps): VNode {
  const { calls } = useInspector().state;
  const { segments, spoken } = useRowLine(row);
  const tree = calls.shownTree.value;
  const selected = calls.selected.value === index;
  const matches = calls.matches.value;
  const isMatch = matches?.[visiblePosition(matches, index)] === index;
  const classes = [
    `row ${rowOutcome(row)}`,
    ...(selected ? ['selected'] : []),
    ...(isMatch ? ['match'] : []),
  ];

  function toggle(): void {
    if (open === undefined) return;
    batch(() => {
      calls.selected.value = index;
      calls.expansion.value = setOpen(tree, calls.expansion.value, [index], !open);
    });
  }

  return (
    <div
      id={rowId(index)}
      role="treeitem"
      class={classes.join(' ')}
      style={{ transform: `translateY(${top}px)` }}
      data-index={index}
      aria-level={level + 1}
      aria-posinset={tree.position[index]}
      aria-setsize={tree.siblings[index]}
      aria-selected={selected}
      {...(open !== undefined && { 'aria-expanded': open })}
      onClick={() => {
        calls.selected.value = index;
      }}
      onDblClick={toggle}
      onContextMenu={(event) => {
        event.preventDefault();
        calls.selected.value = index;
        onMenu(index, event);
      }}
    >
      <span class="spoken hidden">{isMatch ? l10n.t('{0}, match', spoken) : spoken}</span>
      <RowLine
        index={index}
        row={row}
        level={level}
        segments={segments}
        isOpen={open}
        onToggle={toggle}
      />
    </div>
  );
}

/** A row that has been scrolled away while what is inside of it is in sight. For the eye only: the tree has it already. */
export function StickyRow({ index }: { index: number }): VNode | null {
  const { row, level } = useRow(index);
  return row ? <ShownStickyRow index={index} row={row} level={level} /> : null;
}

function ShownStickyRow({ index, row, level }: Omit<ShownRowProps, 'top' | 'onMenu'>): VNode {
  const { calls } = useInspector().state;
  const { segments } = useRowLine(row);
  return (
    <div
      class={`row ${rowOutcome(row)}`}
      onClick={() => {
        calls.show(index);
      }}
    >
      <RowLine index={index} row={row} level={level} segments={segments} isOpen />
    </div>
  );
}
