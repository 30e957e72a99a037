import type { VNode } from 'preact';
import { BalanceTable } from './balances/balance-table';
import { CallTreeView } from './call-tree/call-tree-view';
import { TreeToolbar } from './call-tree/tree-toolbar';
import { FailureView } from './components/failure-view';
import { LoadingView } from './components/loading-view';
import { TabBar, tabPanelProps, type Tab } from './components/tab-bar';
import { Header } from './header/header';
import { useInspector } from './inspector-context';
import type { Flow, TabId } from './protocol';

function panelOf(tab: TabId, flow: Flow): VNode {
  switch (tab) {
    case 'calls':
      return <CallTreeView />;
    case 'balances':
      return <BalanceTable nativeSymbol={flow.transaction.nativeSymbol} />;
  }
}

function Analysis({ flow }: { flow: Flow }): VNode {
  const { state } = useInspector();
  const balances = state.balances.value;
  const tabs: Tab[] = [
    { id: 'calls', title: 'Call tree', count: flow.rows.length },
    {
      id: 'balances',
      title: 'Balance changes',
      ...(balances.state === 'ready' && {
        count: balances.value.balanceChange.reduce((sum, { assets }) => sum + assets.length, 0),
      }),
    },
  ];
  return (
    <main class="inspector">
      <Header flow={flow} />
      <TabBar
        tabs={tabs}
        active={state.tab.value}
        onSelect={(tab) => {
          state.tab.value = tab;
        }}
      >
        {state.tab.value === 'calls' && <TreeToolbar />}
      </TabBar>
      <div class="panel" {...tabPanelProps(state.tab.value)}>
        {panelOf(state.tab.value, flow)}
      </div>
    </main>
  );
}

export function App(): VNode {
  const { state, post } = useInspector();
  const flow = state.flow.value;
  switch (flow.state) {
    case 'loading':
      return <LoadingView target={state.target.value} />;
    case 'failed':
      return (
        <main class="inspector">
          <FailureView
            failure={flow.failure}
            target={state.target.value}
            onRetry={() => {
              post({ type: 'retry' });
            }}
          />
        </main>
      );
    case 'ready':
      return <Analysis flow={flow.value} />;
  }
}
