import type { Signal } from '@preact/signals';
import type { ComponentChildren, RefObject, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ROW_HEIGHT, useVirtualRows } from './use-virtual-rows';
import { useInspector } from '../ui-state/inspector-context';
import { Icon } from './icon';

export interface Column {
  id: string;
  title: string;
  /** Width as a track of a CSS grid, such as `110px` or `minmax(0, 2fr)`. */
  width: string;
  align?: 'right';
  /** Hidden if the grid is narrow. */
  wideOnly?: boolean;
  /** Clicking the head sorts by this column. Direction of the first click: `down` from the greatest, `up` from A. */
  sorts?: 'down' | 'up';
  hint?: string;
}

/** Sort column and direction of the rows; undefined: the given order. */
export interface Order {
  column: string;
  direction: 'up' | 'down';
}

export interface GridRow {
  key: string | number;
  /** One cell per column. */
  cells: ComponentChildren[];
  class?: string;
  /** One line for the clipboard. */
  text: string;
  /** Runs on Enter and on a double click. */
  open?: () => void;
  /** Position in the tree; set in a tree grid only. */
  branch?: Branch;
}

export interface Branch {
  /** From 0. */
  level: number;
  /** Position among the siblings, from 1, and the number of siblings. */
  position: number;
  siblings: number;
  /** Undefined for a leaf. */
  isOpen: boolean | undefined;
}

export interface DataGridProps<T> {
  /** Name under which the user's position is saved. */
  name: string;
  label: string;
  columns: readonly Column[];
  /** Ids of columns that would be empty in all rows: they are left out. */
  empty?: ReadonlySet<string> | undefined;
  items: ArrayLike<T>;
  /** Called only for the items in view. */
  row: (item: T, index: number) => GridRow;
  order?: Signal<Order | undefined>;
  /** Request to bring an item into view, by its index. The grid handles and clears it. */
  wanted?: Signal<number | undefined>;
  /** Index of the selected item; by default the grid stores it. */
  selected?: { value: number };
  /**
   * Set if the items are rows of a tree. Handles the tree's navigation keys. @param page rows that fit on the screen @returns whether the
   * key was handled
   */
  onTreeKey?: (key: string, page: number) => boolean;
}

/** A table of any length as an ARIA grid or tree grid. All rows have the same height; only those in view are rendered. */
export function DataGrid<T>(props: DataGridProps<T>): VNode {
  const { name, label, items, row, order, wanted, onTreeKey, empty } = props;
  const columns = props.columns.filter(({ id }) => !empty?.has(id));
  const count = items.length;
  const { state, post } = useInspector();
  const selected = props.selected ?? state.persistentSignal(`${name}.row`, 0);
  const { scroller, scroll, rows, rendered } = useGridRows(name, count, wanted);

  function rowAt(index: number): GridRow | undefined {
    // An item may itself be undefined, so only the index tells whether it exists.
    return index >= 0 && index < count ? row(items[index] as T, index) : undefined;
  }

  function onKeyDown(event: KeyboardEvent): void {
    // Buttons inside the rows handle their own keys.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 2);
    if (onTreeKey?.(event.key, page)) {
      rows.scrollToIndex(selected.value, 'auto');
      event.preventDefault();
      return;
    }
    const at = Math.min(selected.value, count - 1);
    const next = gridStep(event.key, at, page, count);
    if (next !== undefined) {
      selected.value = next;
      rows.scrollToIndex(selected.value, 'auto');
    } else if (event.key === 'Enter') rowAt(at)?.open?.();
    else if (event.key === 'c') post({ type: 'copy', text: rowAt(at)?.text ?? '' });
    else return;
    event.preventDefault();
  }

  const id = (index: number): string => `${name}-row-${index}`;
  return (
    <div
      class="grid-scroller"
      ref={scroller}
      onScrollEnd={() => {
        scroll.value = scroller.current?.scrollTop ?? 0;
      }}
    >
      <div
        role={onTreeKey ? 'treegrid' : 'grid'}
        aria-label={label}
        aria-rowcount={count + 1}
        aria-activedescendant={count > 0 ? id(Math.min(selected.value, count - 1)) : undefined}
        class="grid"
        tabIndex={0}
        style={widthsOf(columns)}
        onKeyDown={onKeyDown}
      >
        <div role="row" class="grid-head" aria-rowindex={1}>
          {columns.map((column) => (
            <Head key={column.id} column={column} order={order} />
          ))}
        </div>
        <div role="rowgroup" class="grid-body" style={{ height: `${count * ROW_HEIGHT}px` }}>
          {rendered.map(({ index, start }) => {
            const shown = rowAt(index);
            return (
              shown && (
                <Row
                  key={shown.key}
                  id={id(index)}
                  row={shown}
                  cells={columns.map((column) => shown.cells[props.columns.indexOf(column)])}
                  columns={columns}
                  index={index}
                  top={start - ROW_HEIGHT}
                  selected={selected}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Widths of the columns, for the style sheet. */
const widthsOf = (columns: readonly Column[]) => ({
  '--columns': columns.map(({ width }) => width).join(' '),
  '--columns-narrow': columns.flatMap((c) => (c.wideOnly ? [] : [c.width])).join(' '),
});

interface GridRows extends ReturnType<typeof useVirtualRows> {
  scroller: RefObject<HTMLDivElement | null>;
  /** Saved offset. */
  scroll: Signal<number>;
}

/** The rendered rows. Restores the scroll position, and brings the wanted row into view. */
function useGridRows(
  name: string,
  count: number,
  wanted: Signal<number | undefined> | undefined,
): GridRows {
  const { state } = useInspector();
  const scroller = useRef<HTMLDivElement>(null);
  const scroll = state.persistentSignal(`${name}.scroll`, 0);
  const { rows, rendered } = useVirtualRows({
    count,
    scroller,
    headHeight: ROW_HEIGHT,
    initialOffset: scroll.peek(),
  });
  useLayoutEffect(() => {
    // Not at the top: even there, it would cause a layout.
    if (scroller.current && scroll.peek() > 0) scroller.current.scrollTop = scroll.peek();
  }, [scroll]);
  const target = wanted?.value;
  useLayoutEffect(() => {
    if (!wanted || target === undefined) return;
    wanted.value = undefined;
    rows.scrollToIndex(target, 'center');
  }, [wanted, target, rows]);
  return { scroller, scroll, rows, rendered };
}

interface RowProps {
  id: string;
  row: Omit<GridRow, 'cells'>;
  /** One for each of the columns. */
  cells: readonly ComponentChildren[];
  columns: readonly Column[];
  index: number;
  /** Pixels from the top of the rows. */
  top: number;
  selected: { value: number };
}

function Row({ id, row, cells, columns, index, top, selected }: RowProps): VNode {
  const { class: kind = '', open, branch } = row;
  return (
    <div
      id={id}
      role="row"
      class={`grid-row ${kind} ${index === selected.value ? 'selected' : ''}`}
      aria-rowindex={index + 2}
      aria-selected={index === selected.value}
      {...(branch && branchProps(branch))}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => {
        selected.value = index;
      }}
      onDblClick={open}
    >
      {columns.map((column, columnIndex) => (
        <div key={column.id} role="gridcell" class={cellClass(column)}>
          {cells[columnIndex]}
        </div>
      ))}
    </div>
  );
}

/** Index of the row to which a key goes; undefined for other keys. */
function gridStep(key: string, at: number, page: number, count: number): number | undefined {
  const steps: Partial<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  };
  const next = steps[key];
  return next === undefined ? undefined : Math.min(Math.max(next, 0), count - 1);
}

function branchProps({ level, position, siblings, isOpen }: Branch): object {
  return {
    'aria-level': level + 1,
    'aria-posinset': position,
    'aria-setsize': siblings,
    ...(isOpen !== undefined && { 'aria-expanded': isOpen }),
  };
}

const cellClass = ({ align, wideOnly }: Column): string =>
  ['grid-cell', ...(align ? [align] : []), ...(wideOnly ? ['wide-only'] : [])].join(' ');

function Head({
  column,
  order,
}: {
  column: Column;
  order: DataGridProps<unknown>['order'];
}): VNode {
  const { id, title, sorts, hint } = column;
  const current = order?.value?.column === id ? order.value.direction : undefined;
  const tooltip = hint === undefined ? {} : { title: hint };
  if (!order || !sorts) {
    return (
      <div role="columnheader" class={cellClass(column)} {...tooltip}>
        {title}
      </div>
    );
  }
  const opposite = sorts === 'down' ? 'up' : 'down';
  return (
    <div
      role="columnheader"
      class={cellClass(column)}
      aria-sort={current === undefined ? 'none' : current === 'up' ? 'ascending' : 'descending'}
      {...tooltip}
    >
      <button
        type="button"
        class="sorter"
        onClick={() => {
          // Cycles through the column's default direction, the opposite direction, and the given order.
          if (current === undefined) order.value = { column: id, direction: sorts };
          else if (current === sorts) order.value = { column: id, direction: opposite };
          else order.value = undefined;
        }}
      >
        {title}
        {current && <Icon name={current === 'up' ? 'arrow-small-up' : 'arrow-small-down'} />}
      </button>
    </div>
  );
}
