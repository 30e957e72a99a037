import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useInspector } from '../ui-state/inspector-context';
import type { FlowRow } from '../protocol/protocol';
import { isOpen } from '../ui-state/expansion';
import { indentOf, RowLine, rowOutcome, useRowLine } from './row-line';
import { isLeaf, visiblePosition } from '../model/tree-model';
import { rowId } from './row-of-event';

interface Shown {
  row: FlowRow;
  level: number;
  /** Undefined for a leaf. */
  open: boolean | undefined;
}

function useRow(index: number): Omit<Shown, 'row'> & { row: FlowRow | undefined } {
  const { calls } = useInspector().state;
  const tree = calls.shownTree.value;
  return {
    row: calls.rowAt(index),
    level: tree.level[index] ?? 0,
    open: isLeaf(tree, index) ? undefined : isOpen(tree, calls.expansion.value, index),
  };
}

interface RowProps {
  index: number;
  /** Pixels from the top of the tree. */
  top: number;
}

/**
 * A row of the tree; the tree handles its events. Its properties stay the same while the tree scrolls, so that it is not rendered again.
 */
export function CallRow({ index, top }: RowProps): VNode | null {
  const { row, level, open } = useRow(index);
  return row ? <ShownRow index={index} top={top} row={row} level={level} open={open} /> : null;
}

function ShownRow({ index, top, row, level, open }: RowProps & Shown): VNode {
  const { calls, debuggedRow } = useInspector().state;
  const { segments, accessibleText } = useRowLine(row);
  const tree = calls.shownTree.value;
  const selected = calls.selected.value === index;
  const matches = calls.matches.value;
  const isMatch = matches?.[visiblePosition(matches, index)] === index;
  const classes = [
    `row ${rowOutcome(row)}`,
    ...(selected ? ['selected'] : []),
    ...(isMatch ? ['match'] : []),
    ...(debuggedRow.value === index ? ['debugged'] : []),
  ];
  return (
    <div
      id={rowId(index)}
      role="treeitem"
      class={classes.join(' ')}
      style={{ top: `${top}px`, '--levels': indentOf(level) }}
      data-index={index}
      aria-level={level + 1}
      aria-posinset={tree.position[index]}
      aria-setsize={tree.siblings[index]}
      aria-selected={selected}
      {...(open !== undefined && { 'aria-expanded': open })}
    >
      <span class="spoken hidden">
        {isMatch ? l10n.t('{0}, match', accessibleText) : accessibleText}
      </span>
      <RowLine index={index} row={row} level={level} segments={segments} isOpen={open} />
    </div>
  );
}

/**
 * Copy of a row that was scrolled out of view while its descendants are visible. Hidden from assistive technology, because the tree
 * contains the row already.
 */
export function StickyRow({ index }: { index: number }): VNode | null {
  const { row, level } = useRow(index);
  return row ? <ShownStickyRow index={index} row={row} level={level} /> : null;
}

function ShownStickyRow({ index, row, level }: { index: number } & Omit<Shown, 'open'>): VNode {
  const { calls } = useInspector().state;
  const { segments } = useRowLine(row);
  return (
    <div
      class={`row ${rowOutcome(row)}`}
      style={{ '--levels': indentOf(level) }}
      onClick={() => {
        calls.show(index);
      }}
    >
      <RowLine index={index} row={row} level={level} segments={segments} isOpen />
    </div>
  );
}
