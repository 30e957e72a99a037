import { useSignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Menu } from '../components/menu';
import { shownText } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';
import { SearchBar } from './search-bar';
import { CallRow, StickyRow } from './call-row';
import { KeysDialog } from './keys-dialog';
import { RowDetails } from './row-details';
import { rowId } from './row-of-event';
import { stickyPath } from './sticky-path';
import { movesValue, visiblePosition } from '../model/tree-model';
import { focusTree, useRowActions } from './use-row-actions';
import { useTreeClicks } from './use-tree-clicks';
import { useTreeMenu } from './use-tree-menu';
import { useTreeMoves } from './use-tree-moves';
import { ROW_HEIGHT, useVirtualRows } from '../components/use-virtual-rows';

function isTyping({ target }: Event): boolean {
  return target instanceof Element && target.matches('input, select, textarea');
}

/** The search bar, the tree and, below it, the details of the selected row. */
export function CallTreeView(): VNode {
  const { calls } = useInspector().state;
  const { search } = calls;
  const help = useSignal(false);

  useEffect(() => {
    // Handles keys anywhere in the panel, except while the user types text.
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'F3' && search.isOpen.peek()) calls.step(event.shiftKey ? -1 : 1);
      else if (event.key === '/' && !isTyping(event)) openSearch();
      else if (event.key === '?' && !isTyping(event)) help.value = true;
      else return;
      event.preventDefault();
    };
    const openSearch = (): void => {
      search.isOpen.value = true;
      document.querySelector<HTMLInputElement>('.search input')?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
    };
  }, [calls, search, help]);

  if (calls.tree.value.rows.length === 0) {
    return <p class="empty">{l10n.t('No calls: the trace of this transaction is empty.')}</p>;
  }
  const row = calls.rowAt(calls.selected.value);
  return (
    <div class="split">
      {search.isOpen.value && <SearchBar onLeave={focusTree} />}
      <InternalsNotice />
      <Tree />
      {calls.details.value && row && (
        <RowDetails key={calls.selected.value} index={calls.selected.value} row={row} />
      )}
      {help.value && (
        <KeysDialog
          onClose={() => {
            help.value = false;
          }}
        />
      )}
    </div>
  );
}

/** How far the calls inside contracts are, until they are shown. */
function InternalsNotice(): VNode | null {
  const { calls, parts } = useInspector().state;
  const part = parts.internalCalls.value;
  if (!calls.internals.value || part.state === 'idle') return null;
  if (part.state === 'ready') {
    if (part.missing > 0 || part.value.nodes.some(({ internal }) => internal)) return null;
    return (
      <p class="notice" role="status">
        {l10n.t('No calls inside contracts: no contract with known source makes one.')}
      </p>
    );
  }
  if (part.state === 'failed') {
    return (
      <p class="notice" role="status">
        {l10n.t('Calls inside contracts are not known: {0}', part.failure.message)}
      </p>
    );
  }
  return (
    <p class="notice" role="status">
      {l10n.t('Recording the calls inside contracts…')}
    </p>
  );
}

/** Restores the scroll position, and brings the wanted row into view. */
function useTreePlace(
  { rows, scroller }: Pick<TreeRows, 'rows' | 'scroller'>,
  element: RefObject<HTMLDivElement | null>,
): void {
  const { calls } = useInspector().state;
  const wanted = calls.wanted.value;

  useLayoutEffect(() => {
    // Not at the top: even there, it would cause a layout.
    const offset = calls.scroll.peek();
    if (scroller.current && offset > 0) scroller.current.scrollTop = offset;
  }, [calls]);

  useLayoutEffect(() => {
    if (wanted === undefined) return;
    calls.wanted.value = undefined;
    const position = visiblePosition(calls.visible.peek(), wanted.index);
    rows.scrollToIndex(position, 'center');
    if (wanted.focus) element.current?.focus({ preventScroll: true });
  }, [wanted, rows, calls]);
}

interface TreeRows extends ReturnType<typeof useVirtualRows> {
  scroller: RefObject<HTMLDivElement | null>;
}

function useTreeRows(count: number): TreeRows {
  const { calls } = useInspector().state;
  const scroller = useRef<HTMLDivElement>(null);
  const initialOffset = calls.scroll.peek();
  return {
    scroller,
    ...useVirtualRows({ count, scroller, headHeight: ROW_HEIGHT, initialOffset }),
  };
}

function TreeHead(): VNode {
  const symbol = useInspector().state.nativeSymbol.value;
  return (
    <div class="tree-head" aria-hidden="true">
      <span class="call">{l10n.t('Call')}</span>
      <span class="cell value-cell">
        {symbol ? l10n.t('Value ({0})', shownText(symbol, 10)) : l10n.t('Value')}
      </span>
      <span class="cell gas-cell">{l10n.t('Gas')}</span>
    </div>
  );
}

/** The callers of the topmost row in view. @param top position of that row among the visible ones */
function StickyPath({ top }: { top: number }): VNode {
  const { calls } = useInspector().state;
  return (
    <div class="sticky-path" aria-hidden="true">
      <div class="sticky-rows">
        {stickyPath(calls.shownTree.value, calls.visible.value, top).map((index) => (
          <StickyRow key={index} index={index} />
        ))}
      </div>
    </div>
  );
}

function Tree(): VNode {
  const { calls } = useInspector().state;
  const actions = useRowActions();
  const element = useRef<HTMLDivElement>(null);
  const visible = calls.visible.value;
  const { rows: all } = calls.tree.value;
  const hasValues = useMemo(() => all.some(movesValue), [all]);
  const active = visible[visiblePosition(visible, calls.selected.value)] ?? visible[0];
  const { scroller, rows, rendered } = useTreeRows(visible.length);
  const menu = useTreeMenu(element, active);
  const onKeyDown = useTreeMoves(scroller, actions);
  const clicks = useTreeClicks(actions);
  useTreePlace({ rows, scroller }, element);

  return (
    <div
      class={hasValues ? 'tree-scroller' : 'tree-scroller no-values'}
      ref={scroller}
      onScrollEnd={() => {
        calls.scroll.value = rows.scrollOffset; // known without another layout
      }}
    >
      <TreeHead />
      <StickyPath top={Math.floor(rows.scrollOffset / ROW_HEIGHT)} />
      {visible.length === 0 && <p class="empty">{l10n.t('No row matches the search.')}</p>}
      <div
        ref={element}
        role="tree"
        aria-label={l10n.t('Call tree')}
        {...(active !== undefined && { 'aria-activedescendant': rowId(active) })}
        tabIndex={0}
        class="tree"
        style={{ height: `${visible.length * ROW_HEIGHT}px` }}
        onKeyDown={onKeyDown}
        {...clicks}
        onContextMenu={menu.onContextMenu}
      >
        {rendered.map(({ index: position, start }) => {
          const index = visible[position] ?? 0;
          return <CallRow key={index} index={index} top={start - ROW_HEIGHT} />;
        })}
      </div>
      {menu.open && (
        <Menu
          label={l10n.t('Actions of the row')}
          items={actions.menuItems(menu.open.index)}
          anchor={menu.open.place}
          onClose={menu.onClose}
        />
      )}
    </div>
  );
}
