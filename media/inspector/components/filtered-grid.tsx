import type { ComponentChildren, VNode } from 'preact';
import { DataGrid, type DataGridProps } from './data-grid';
import { FilterBox, type FilterBoxProps } from './filter-box';

interface FilteredGridProps<T> extends DataGridProps<T> {
  filter: FilterBoxProps;
  /** Shown if no item matches the filter. */
  nothing: string;
  /** Content before the filter. */
  lead?: ComponentChildren;
  /** Content after the filter. */
  children?: ComponentChildren;
}

/** A grid with a filter above it. */
export function FilteredGrid<T>(props: FilteredGridProps<T>): VNode {
  const { filter, nothing, lead, children, ...grid } = props;
  return (
    <>
      <div class="tab-tools">
        {lead}
        <FilterBox {...filter} />
        {children}
      </div>
      {grid.items.length === 0 ? <p class="empty">{nothing}</p> : <DataGrid {...grid} />}
    </>
  );
}
