import type { VNode } from 'preact';
import { CallTreeView } from './call-tree/call-tree-view';
import { lazy } from './components/lazy';
import type { Tab } from './components/tab-bar';
import type { Part, PartSignals } from './parts';
import type { TabId } from './protocol';

const BalancesTab = lazy(async () => (await import('./balances/balances-tab')).BalancesTab);

/** What a tab shows. Those that are not seen at first are loaded on demand. */
export function TabPanel({ tab }: { tab: TabId }): VNode {
  switch (tab) {
    case 'calls':
      return <CallTreeView />;
    case 'balances':
      return <BalancesTab />;
  }
}

/** How many there are of what a tab shows; undefined until all of it is there. */
function countOf<T>(part: Part<T>, count: (value: T) => number): { count?: number } {
  return part.state === 'ready' && part.missing === 0 ? { count: count(part.value) } : {};
}

/** The tabs with their counts, in their order. */
export function tabsOf(parts: PartSignals): Tab[] {
  const flow = parts.flow.value;
  return [
    {
      id: 'calls',
      title: 'Call tree',
      ...(flow.state === 'ready' && { count: flow.value.rows.length + flow.missing }),
    },
    {
      id: 'balances',
      title: 'Balance changes',
      ...countOf(parts.balanceChange.value, ({ balanceChange }) =>
        balanceChange.reduce((sum, { assets }) => sum + assets.length, 0),
      ),
    },
  ];
}
