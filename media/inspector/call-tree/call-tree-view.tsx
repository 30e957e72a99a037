import { batch } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { shownText } from '../grammar/text';
import { useInspector } from '../inspector-context';
import { CallRow, rowId, rowText } from './call-row';
import { RowDetails } from './row-details';
import { treeMove, type TreeMove } from './tree-keys';
import { visiblePosition } from './tree-model';
import { ROW_HEIGHT, useVirtualRows } from './use-virtual-rows';

/** The tree and, below it, the details of the selected row. */
export function CallTreeView(): VNode {
  const { state } = useInspector();
  if (state.calls.tree.value.rows.length === 0) {
    return <p class="empty">No calls: the trace of this transaction is empty.</p>;
  }
  const row = state.calls.tree.value.rows[state.calls.selected.value];
  return (
    <div class="split">
      <Tree />
      {state.calls.details.value && row && (
        <RowDetails key={state.calls.selected.value} row={row} />
      )}
    </div>
  );
}

function Tree(): VNode {
  const { state, post } = useInspector();
  const scroller = useRef<HTMLDivElement>(null);
  const element = useRef<HTMLDivElement>(null);
  const visible = state.calls.visible.value;
  const rows = useVirtualRows({
    count: visible.length,
    scroller,
    headHeight: ROW_HEIGHT,
    initialOffset: state.calls.scroll.peek(),
  });
  const wanted = state.calls.wanted.value;
  const symbol = state.nativeSymbol.value;

  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = state.calls.scroll.peek();
  }, [state]);

  useLayoutEffect(() => {
    if (wanted === undefined) return;
    state.calls.wanted.value = undefined;
    const position = visiblePosition(state.calls.visible.peek(), wanted.index);
    rows.scrollToIndex(position, { align: 'center' });
    if (wanted.focus) element.current?.focus({ preventScroll: true });
  }, [wanted, rows, state]);

  function apply(move: TreeMove): void {
    if ('selected' in move) {
      state.calls.selected.value = move.selected;
      rows.scrollToIndex(visiblePosition(state.calls.visible.value, move.selected), {
        align: 'auto',
      });
    } else if ('expansion' in move) {
      state.calls.expansion.value = move.expansion;
    } else if ('show' in move) {
      state.showRow(move.show);
    } else if (move.action === 'copy') {
      const row = state.calls.tree.value.rows[state.calls.selected.value];
      if (row) post({ type: 'copy', text: rowText(row, state.names.value) });
    } else {
      state.calls.details.value = move.action === 'details' && !state.calls.details.value;
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const height = scroller.current?.clientHeight ?? 0;
    const move = treeMove(event.key, {
      tree: state.calls.tree.value,
      visible: state.calls.visible.value,
      expansion: state.calls.expansion.value,
      selected: state.calls.selected.value,
      page: Math.max(1, Math.floor(height / ROW_HEIGHT) - 2),
    });
    if (!move) return;
    event.preventDefault();
    batch(() => {
      // A row inside a closed one hands the selection to what hides it.
      const at = visiblePosition(state.calls.visible.value, state.calls.selected.value);
      state.calls.selected.value = state.calls.visible.value[at] ?? 0;
      apply(move);
    });
  }

  const active = visible[visiblePosition(visible, state.calls.selected.value)] ?? 0;
  return (
    <div
      class="tree-scroller"
      ref={scroller}
      onScrollEnd={() => {
        state.calls.scroll.value = scroller.current?.scrollTop ?? 0;
      }}
    >
      <div class="tree-head" aria-hidden="true">
        <span class="call">Call</span>
        <span class="cell value">Value{symbol && ` (${shownText(symbol, 10)})`}</span>
        <span class="cell gas">Gas</span>
      </div>
      <div
        ref={element}
        role="tree"
        aria-label="Call tree"
        aria-activedescendant={rowId(active)}
        tabIndex={0}
        class="tree"
        style={{ height: `${visible.length * ROW_HEIGHT}px` }}
        onKeyDown={onKeyDown}
      >
        {rows.getVirtualItems().map(({ index: position, start }) => {
          const index = visible[position] ?? 0;
          return <CallRow key={index} index={index} top={start - ROW_HEIGHT} />;
        })}
      </div>
    </div>
  );
}
