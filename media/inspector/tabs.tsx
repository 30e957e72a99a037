import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { CallTreeView } from './call-tree/call-tree-view';
import { lazy } from './components/lazy';
import type { Tab } from './components/tab-bar';
import { Overview } from './overview/overview';
import type { Part, PartSignals } from './protocol/parts';
import type { TabId } from './protocol/protocol';

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
const counts = new WeakMap<object, number>();

/** Number of items in a tab; omitted until the part is complete. */
function countOf<T extends object>(part: Part<T>, count: (value: T) => number): { count?: number } {
  if (part.state !== 'ready' || part.missing > 0) return {};
  const known = counts.get(part.value) ?? count(part.value);
  counts.set(part.value, known);
  return { count: known };
}

/** The tabs with their counts, in order. */
export function tabsOf(parts: PartSignals): Tab[] {
  const flow = parts.flow.value;
  return [
    { id: 'overview', title: l10n.t('Overview') },
    {
      id: 'calls',
      title: l10n.t('Call tree'),
      ...(flow.state === 'ready' && { count: flow.value.rows.length + flow.missing }),
    },
    {
      id: 'balances',
      title: l10n.t('Balance changes'),
      ...countOf(parts.balanceChange.value, ({ balanceChange }) =>
        balanceChange.reduce((sum, { assets }) => sum + assets.length, 0),
      ),
    },
    {
      id: 'fundFlow',
      title: l10n.t('Fund flow'),
      ...countOf(parts.fundFlow.value, ({ fundFlow }) => fundFlow.length),
    },
    {
      id: 'events',
      title: l10n.t('Events'),
      ...countOf(flow, ({ rows }) => rows.filter(({ nodeType }) => nodeType === 1).length),
    },
    {
      id: 'state',
      title: l10n.t('State'),
      ...countOf(parts.stateDiff.value, ({ accounts }) => accounts.length),
    },
    { id: 'gas', title: l10n.t('Gas') },
  ];
}
