import * as l10n from '@vscode/l10n';
import type { ComponentChildren, RefObject, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { grouped } from '../../../server/presentation/text';
import type { TabId } from '../protocol/protocol';

export interface Tab<Id extends TabId = TabId> {
  id: Id;
  title: string;
  count?: number;
}

interface TabBarProps<Id extends TabId> {
  tabs: readonly Tab<Id>[];
  active: Id;
  onSelect: (tab: Id) => void;
  /** Actions of the active tab, at the right. */
  children?: ComponentChildren;
  /**
   * Width in pixels that is reserved for the actions, even if the active tab has none: selecting a tab must not turn the tabs into a menu.
   */
  actionsWidth?: number;
}

export function tabPanelProps(tab: TabId): {
  id: string;
  role: 'tabpanel';
  'aria-labelledby': string;
} {
  return { id: `panel-${tab}`, role: 'tabpanel', 'aria-labelledby': `tab-${tab}` };
}

/**
 * Whether the tabs do not fit. Their width depends on counts and language, so it is measured.
 * @param texts of the tabs: they are measured again when it changes
 */
function useIsNarrow(
  bar: RefObject<HTMLDivElement | null>,
  list: RefObject<HTMLDivElement | null>,
  texts: string,
  actionsWidth: number,
): boolean {
  const [narrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const [whole, tabList] = [bar.current, list.current];
    const last = tabList?.lastElementChild;
    if (!whole || !tabList || !(last instanceof HTMLElement)) return;
    const measure = (): void => {
      const room = Math.min(tabList.clientWidth, whole.clientWidth - actionsWidth);
      setNarrow(last.offsetLeft + last.offsetWidth > room);
    };
    // Measures when it begins to observe, after the layout of the frame: measuring here would cause a layout for every change of a count.
    const observer = new ResizeObserver(measure);
    observer.observe(tabList);
    return () => {
      observer.disconnect();
    };
  }, [texts, actionsWidth]);
  return narrow;
}

/** The tabs as a menu. */
function TabMenu<Id extends TabId>({
  tabs,
  active,
  onSelect,
}: Pick<TabBarProps<Id>, 'tabs' | 'active' | 'onSelect'>): VNode {
  return (
    <select
      class="select tab-menu"
      aria-label={l10n.t('View')}
      value={active}
      onChange={(event) => {
        const chosen = tabs.find(({ id }) => id === event.currentTarget.value);
        if (chosen) onSelect(chosen.id);
      }}
    >
      {tabs.map(({ id, title, count }) => (
        <option key={id} value={id}>
          {title}
          {count !== undefined && ` (${grouped(String(count))})`}
        </option>
      ))}
    </select>
  );
}

/**
 * The tablist pattern of WAI-ARIA with automatic activation: arrows, Home and End move and select. Becomes a menu if the tabs do not fit.
 */
export function TabBar<Id extends TabId>({
  tabs,
  active,
  onSelect,
  children,
  actionsWidth = 0,
}: TabBarProps<Id>): VNode {
  const bar = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const texts = tabs.map(({ title, count }) => `${title} ${count ?? ''}`).join();
  const narrow = useIsNarrow(bar, list, texts, actionsWidth);

  function onKeyDown(event: KeyboardEvent): void {
    const at = tabs.findIndex(({ id }) => id === active);
    const steps: Partial<Record<string, number>> = {
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      ArrowRight: (at + 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = steps[event.key];
    const tab = next === undefined ? undefined : tabs[next];
    if (!tab) return;
    event.preventDefault();
    onSelect(tab.id);
    list.current?.querySelector<HTMLElement>(`#tab-${tab.id}`)?.focus();
  }

  return (
    <div ref={bar} class={narrow ? 'tab-bar narrow' : 'tab-bar'}>
      <div class="tab-list">
        <TabMenu tabs={tabs} active={active} onSelect={onSelect} />
        <div
          class="tabs"
          role="tablist"
          aria-label={l10n.t('Views')}
          ref={list}
          onKeyDown={onKeyDown}
        >
          {tabs.map(({ id, title, count }) => (
            <button
              key={id}
              id={`tab-${id}`}
              type="button"
              role="tab"
              aria-selected={id === active}
              {...(id === active && { 'aria-controls': `panel-${id}` })}
              tabIndex={id === active ? 0 : -1}
              onClick={() => {
                onSelect(id);
              }}
            >
              {title}
              {count !== undefined && <span class="badge">{grouped(String(count))}</span>}
            </button>
          ))}
        </div>
      </div>
      {children}
    </div>
  );
}
