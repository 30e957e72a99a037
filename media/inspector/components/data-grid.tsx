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
}

interface DataGridProps {
  /** Under which the place of the reader is kept. */
  name: string;
  label: string;
  columns: readonly Column[];
  count: number;
  /** Made only of the rows that are in view. */
  row: (index: number) => GridRow;
  order?: Signal<Order | undefined>;
  /** A row that the grid is asked to bring into view; the grid takes the request when it can. */
  wanted?: Signal<number | undefined>;
}

/** A table of any length as an ARIA grid: rows of one height, of which only those in view exist. */
export function DataGrid(props: DataGridProps): VNode {
  const { name, label, columns, count, row, order, wanted } = props;
  const { state, post } = useInspector();
  const scroller = useRef<HTMLDivElement>(null);
  const scroll = state.keep(`${name}.scroll`, 0);
  const selected = state.keep(`${name}.row`, 0);
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

  function onKeyDown(event: KeyboardEvent): void {
    // Buttons inside the rows have keys of their own.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 2);
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
    } else if (event.key === 'Enter') row(at).open?.();
    else if (event.key === 'c') post({ type: 'copy', text: row(at).text });
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
        role="grid"
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
            const { key, cells, class: kind = '', open } = row(index);
            return (
              <div
                key={key}
                id={id(index)}
                role="row"
                class={`grid-row ${kind} ${index === selected.value ? 'selected' : ''}`}
                aria-rowindex={index + 2}
                aria-selected={index === selected.value}
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

const cellClass = ({ align, wideOnly }: Column): string =>
  ['grid-cell', ...(align ? [align] : []), ...(wideOnly ? ['wide-only'] : [])].join(' ');

function Head({ column, order }: { column: Column; order: DataGridProps['order'] }): VNode {
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
