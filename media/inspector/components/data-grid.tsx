import type { Signal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ROW_HEIGHT, useVirtualRows } from '../call-tree/use-virtual-rows';
import { useInspector } from '../inspector-context';
import { Icon } from './icon';

export interface Column {
  id: string;
  title: string;
  /** Width as a track of a CSS grid, such as `110px` or `minmax(0, 2fr)`. */
  width: string;
  align?: 'right';
  /** Where it is narrow, this column is left out. */
  wideOnly?: boolean;
  /** Clicking its head sorts by it; the first click from the greatest down or from A up. */
  sorts?: 'down' | 'up';
  hint?: string;
}

/** By which column rows are sorted, and in which direction; no column: as they came. */
export interface Order {
  column: string;
  direction: 'up' | 'down';
}

export interface GridRow {
  key: string | number;
  /** One for each column. */
  cells: ComponentChildren[];
  class?: string;
  /** One line for the clipboard. */
  text: string;
  /** What Enter and a double click do. */
  open?: () => void;
  /** Where it stands in the tree, in a grid of one. */
  branch?: Branch;
}

export interface Branch {
  /** From 0. */
  level: number;
  /** Place among its siblings, from 1, and how many those are. */
  position: number;
  siblings: number;
  /** Undefined for a leaf. */
  isOpen: boolean | undefined;
}

export interface DataGridProps<T> {
  /** Under which the place of the reader is kept. */
  name: string;
  label: string;
  columns: readonly Column[];
  items: ArrayLike<T>;
  /** Made only of the items that are in view. */
  row: (item: T, index: number) => GridRow;
  order?: Signal<Order | undefined>;
  /** An item that the grid is asked to bring into view, by its index; the grid takes the request when it can. */
  wanted?: Signal<number | undefined>;
  /** Index of the selected item; by default the grid keeps it. */
  selected?: { value: number };
  /** The items are the rows of a tree: takes the keys that lead through it, and says whether it took one. @param page rows that fit on the screen */
  onTreeKey?: (key: string, page: number) => boolean;
}

/** A table of any length as an ARIA grid, or tree grid: rows of one height, of which only those in view exist. */
export function DataGrid<T>(props: DataGridProps<T>): VNode {
  const { name, label, columns, items, row, order, wanted, onTreeKey } = props;
  const count = items.length;
  const { state, post } = useInspector();
  const scroller = useRef<HTMLDivElement>(null);
  const scroll = state.keep(`${name}.scroll`, 0);
  const selected = props.selected ?? state.keep(`${name}.row`, 0);
  const rows = useVirtualRows({
    count,
    scroller,
    headHeight: ROW_HEIGHT,
    initialOffset: scroll.peek(),
  });
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = scroll.peek();
  }, [scroll]);
  const target = wanted?.value;
  useLayoutEffect(() => {
    if (!wanted || target === undefined) return;
    wanted.value = undefined;
    rows.scrollToIndex(target, { align: 'center' });
  }, [wanted, target, rows]);

  function rowAt(index: number): GridRow | undefined {
    // An item may be undefined by itself: only its place tells whether it is there.
    return index >= 0 && index < count ? row(items[index] as T, index) : undefined;
  }

  function onKeyDown(event: KeyboardEvent): void {
    // Buttons inside the rows have keys of their own.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 2);
    if (onTreeKey?.(event.key, page)) {
      rows.scrollToIndex(selected.value, { align: 'auto' });
      event.preventDefault();
      return;
    }
    const at = Math.min(selected.value, count - 1);
    const steps: Partial<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: count - 1,
    };
    const next = steps[event.key];
    if (next !== undefined) {
      selected.value = Math.min(Math.max(next, 0), count - 1);
      rows.scrollToIndex(selected.value, { align: 'auto' });
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
        style={{
          '--columns': columns.map(({ width }) => width).join(' '),
          '--columns-narrow': columns.flatMap((c) => (c.wideOnly ? [] : [c.width])).join(' '),
        }}
        onKeyDown={onKeyDown}
      >
        <div role="row" class="grid-head" aria-rowindex={1}>
          {columns.map((column) => (
            <Head key={column.id} column={column} order={order} />
          ))}
        </div>
        <div role="rowgroup" class="grid-body" style={{ height: `${count * ROW_HEIGHT}px` }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const shown = rowAt(index);
            if (!shown) return null;
            const { key, cells, class: kind = '', open, branch } = shown;
            return (
              <div
                key={key}
                id={id(index)}
                role="row"
                class={`grid-row ${kind} ${index === selected.value ? 'selected' : ''}`}
                aria-rowindex={index + 2}
                aria-selected={index === selected.value}
                {...(branch && branchProps(branch))}
                style={{ transform: `translateY(${start - ROW_HEIGHT}px)` }}
                onClick={() => {
                  selected.value = index;
                }}
                onDblClick={open}
              >
                {columns.map((column, place) => (
                  <div key={column.id} role="gridcell" class={cellClass(column)}>
                    {cells[place]}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
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
          // First as it suits the column, then the other way round, then as it came.
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
