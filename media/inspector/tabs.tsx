import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { CallTreeView } from './call-tree/call-tree-view';
import { lazy } from './components/lazy';
import type { Tab } from './components/tab-bar';
import { Overview } from './overview/overview';
import type { Part, PartSignals } from './protocol/parts';
import { TABS, type TabId } from './protocol/protocol';

const BalancesTab = lazy(async () => (await import('./balances/balances-tab')).BalancesTab);
const FundFlowTab = lazy(async () => (await import('./fund-flow/fund-flow-tab')).FundFlowTab);
const EventsTab = lazy(async () => (await import('./events/events-tab')).EventsTab);
const StateTab = lazy(async () => (await import('./state-diff/state-tab')).StateTab);
const GasTab = lazy(async () => (await import('./gas/gas-tab')).GasTab);

/** The content of a tab. Tabs other than the first two are loaded on demand. */
export function TabPanel({ tab }: { tab: TabId }): VNode {
  switch (tab) {
    case 'overview':
      return <Overview />;
    case 'calls':
      return <CallTreeView />;
    case 'balances':
      return <BalancesTab />;
    case 'fundFlow':
      return <FundFlowTab />;
    case 'events':
      return <EventsTab />;
    case 'state':
      return <StateTab />;
    case 'gas':
      return <GasTab />;
  }
}

/** Number of items of complete parts: some are counted through a whole list, and tabs are rendered with every part that arrives. */
const counts = new Map(TABS.map((tab) => [tab, new WeakMap<object, number>()]));

/** Number of items in a tab; omitted until the part is complete. */
function countOf<T extends object>(
  tab: TabId,
  part: Part<T>,
  count: (value: T) => number,
): { count?: number } {
  if (part.state !== 'ready' || part.missing > 0) return {};
  const known = counts.get(tab)?.get(part.value) ?? count(part.value);
  counts.get(tab)?.set(part.value, known);
  return { count: known };
}

/** The tabs with their counts, in order. */
export function tabsOf(parts: PartSignals): Tab[] {
  const flow = parts.flow.value;
  const tabs: Record<TabId, Omit<Tab, 'id'>> = {
    overview: { title: l10n.t('Overview') },
    calls: {
      title: l10n.t('Call tree'),
      ...(flow.state === 'ready' && { count: flow.value.rows.length + flow.missing }),
    },
    balances: {
      title: l10n.t('Balance changes'),
      ...countOf('balances', parts.balanceChange.value, ({ balanceChange }) =>
        balanceChange.reduce((sum, { assets }) => sum + assets.length, 0),
      ),
    },
    fundFlow: {
      title: l10n.t('Fund flow'),
      ...countOf('fundFlow', parts.fundFlow.value, ({ fundFlow }) => fundFlow.length),
    },
    events: {
      title: l10n.t('Events'),
      ...countOf('events', flow, ({ rows }) => rows.filter((row) => row.nodeType === 1).length),
    },
    state: {
      title: l10n.t('State'),
      ...countOf('state', parts.stateDiff.value, ({ accounts }) => accounts.length),
    },
    gas: { title: l10n.t('Gas') },
  };
  return TABS.map((id) => ({ id, ...tabs[id] }));
}
