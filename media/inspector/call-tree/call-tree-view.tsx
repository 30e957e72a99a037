import { batch, useSignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Menu } from '../components/menu';
import { shownText } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';
import { SearchBar } from './search-bar';
import { CallRow, rowId, StickyRow } from './call-row';
import { isOpen, setOpen } from '../ui-state/expansion';
import { KeysDialog } from './keys-dialog';
import { RowDetails } from './row-details';
import { pathTo, stickyPath } from './sticky-path';
import { treeMove, type TreeMove } from './tree-keys';
import { isLeaf, movesValue, visiblePosition } from '../model/tree-model';
import { focusTree, useRowActions } from './use-row-actions';
import { ROW_HEIGHT, useVirtualRows } from '../components/use-virtual-rows';

function isTyping({ target }: Event): boolean {
  return target instanceof Element && target.matches('input, select, textarea');
}

/** The index of the row that an event targets, if any. */
function rowAt(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return row === null ? undefined : Number(row.dataset['index']);
}

function isOnTwisty(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('.twisty.foldable');
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

interface OpenMenu {
  index: number;
  place: { left: number; top: number; above: number };
}

function Tree(): VNode {
  const { state } = useInspector();
  const { calls } = state;
  const actions = useRowActions();
  const scroller = useRef<HTMLDivElement>(null);
  const element = useRef<HTMLDivElement>(null);
  const [menu, setMenu] = useState<OpenMenu>();
  const visible = calls.visible.value;
  const tree = calls.shownTree.value;
  const { rows: all } = calls.tree.value;
  const hasValues = useMemo(() => all.some(movesValue), [all]);
  const { rows, rendered } = useVirtualRows({
    count: visible.length,
    scroller,
    headHeight: ROW_HEIGHT,
    initialOffset: calls.scroll.peek(),
  });
  const wanted = calls.wanted.value;
  const symbol = state.nativeSymbol.value;

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

  /** Scrolls no further than needed, and keeps the row below the sticky path. */
  function scrollTo(index: number): void {
    const view = scroller.current;
    if (!view) return;
    const top = visiblePosition(visible, index) * ROW_HEIGHT;
    const covered = pathTo(tree, index).length * ROW_HEIGHT;
    const bottom = top + 2 * ROW_HEIGHT - view.clientHeight;
    if (view.scrollTop > top - covered) view.scrollTop = top - covered;
    else if (view.scrollTop < bottom) view.scrollTop = bottom;
  }

  function apply(move: TreeMove): void {
    if ('selected' in move) {
      calls.selected.value = move.selected;
      scrollTo(move.selected);
    } else if ('expansion' in move) {
      calls.expansion.value = move.expansion;
    } else {
      const index = calls.selected.value;
      const act = {
        source: () => {
          actions.openSource(index);
        },
        details: actions.toggleDetails,
        closeDetails: () => {
          calls.details.value = false;
        },
        copy: () => {
          actions.copy(index);
        },
        failure: actions.goToFailure,
      };
      act[move.action]();
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const height = scroller.current?.clientHeight ?? 0;
    const move = treeMove(event.key, {
      tree,
      visible,
      expansion: calls.expansion.value,
      selected: calls.selected.value,
      page: Math.max(1, Math.floor(height / ROW_HEIGHT) - 2),
    });
    if (!move) return;
    event.preventDefault();
    batch(() => {
      // If the selected row is inside a closed row, the selection moves to its visible ancestor.
      const at = visiblePosition(visible, calls.selected.value);
      calls.selected.value = visible[at] ?? visible[0] ?? 0;
      apply(move);
    });
  }

  const active = visible[visiblePosition(visible, calls.selected.value)] ?? visible[0];
  const sticky = stickyPath(tree, visible, Math.floor(rows.scrollOffset / ROW_HEIGHT));

  function toggle(index: number): void {
    if (isLeaf(tree, index)) return;
    const open = isOpen(tree, calls.expansion.value, index);
    batch(() => {
      calls.selected.value = index;
      calls.expansion.value = setOpen(tree, calls.expansion.value, [index], !open);
    });
  }

  /** Selects a row, and moves a debugger there. Keys select alone: the rows on their way are not meant. */
  function onClick({ target, detail }: MouseEvent): void {
    const index = rowAt(target);
    if (index === undefined) return;
    if (isOnTwisty(target)) {
      toggle(index);
      return;
    }
    calls.selected.value = index;
    // The second click of a double click opens the row.
    if (detail < 2) actions.moveDebugger(index);
  }

  function onDblClick({ target }: MouseEvent): void {
    const index = rowAt(target);
    if (index !== undefined && !isOnTwisty(target)) toggle(index);
  }

  /** On a row: opens its menu. With the keyboard or beside the rows: opens the menu of the selected row. */
  function onContextMenu(event: MouseEvent): void {
    const index = rowAt(event.target);
    if (index !== undefined) {
      event.preventDefault();
      calls.selected.value = index;
      const { clientX, clientY } = event;
      const open = (): void => {
        setMenu({ index, place: { left: clientX, top: clientY, above: clientY } });
      };
      // Linux and macOS send the event when the button is pressed. Its release would close the menu.
      if (event.buttons === 0) open();
      else addEventListener('mouseup', open, { once: true });
      return;
    }
    if (event.target !== element.current || active === undefined) return;
    event.preventDefault();
    const box = document.getElementById(rowId(active))?.getBoundingClientRect();
    if (!box) return;
    setMenu({ index: active, place: { left: box.left + 60, top: box.bottom, above: box.top } });
  }

  return (
    <div
      class={hasValues ? 'tree-scroller' : 'tree-scroller no-values'}
      ref={scroller}
      onScrollEnd={() => {
        calls.scroll.value = rows.scrollOffset; // known without another layout
      }}
    >
      <div class="tree-head" aria-hidden="true">
        <span class="call">{l10n.t('Call')}</span>
        <span class="cell value-cell">
          {symbol ? l10n.t('Value ({0})', shownText(symbol, 10)) : l10n.t('Value')}
        </span>
        <span class="cell gas-cell">{l10n.t('Gas')}</span>
      </div>
      <div class="sticky-path" aria-hidden="true">
        <div class="sticky-rows">
          {sticky.map((index) => (
            <StickyRow key={index} index={index} />
          ))}
        </div>
      </div>
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
        onClick={onClick}
        onDblClick={onDblClick}
        onContextMenu={onContextMenu}
      >
        {rendered.map(({ index: position, start }) => {
          const index = visible[position] ?? 0;
          return <CallRow key={index} index={index} top={start - ROW_HEIGHT} />;
        })}
      </div>
      {menu && (
        <Menu
          label={l10n.t('Actions of the row')}
          items={actions.menuItems(menu.index)}
          anchor={menu.place}
          onClose={() => {
            setMenu(undefined);
            element.current?.focus({ preventScroll: true });
          }}
        />
      )}
    </div>
  );
}
