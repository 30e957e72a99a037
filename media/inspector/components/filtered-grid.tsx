import type { ComponentChildren, VNode } from 'preact';
import { DataGrid, type DataGridProps } from './data-grid';
import { FilterBox, type FilterBoxProps } from './filter-box';

interface FilteredGridProps<T> extends DataGridProps<T> {
  filter: FilterBoxProps;
  /** What is said where the filter leaves nothing. */
  nothing: string;
  /** What stands in front of the filter. */
  lead?: ComponentChildren;
  /** What stands behind it. */
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
