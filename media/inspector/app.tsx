import type { VNode } from 'preact';
import { TREE_ACTIONS_WIDTH, TreeToolbar } from './call-tree/tree-toolbar';
import { FailureView } from './components/failure-view';
import { LoadingView } from './components/loading-view';
import { TabBar, tabPanelProps } from './components/tab-bar';
import { Header } from './header/header';
import { useInspector } from './state/inspector-context';
import type { Flow } from './protocol/protocol';
import { tabsOf, TabPanel } from './tabs';

function Analysis({ flow }: { flow: Flow }): VNode {
  const { state } = useInspector();
  const active = state.tab.value;
  return (
    <main class="inspector">
      <Header flow={flow} />
      <TabBar
        tabs={tabsOf(state.parts)}
        active={active}
        actionsWidth={TREE_ACTIONS_WIDTH}
        onSelect={(tab) => {
          state.tab.value = tab;
        }}
      >
        {active === 'calls' && <TreeToolbar />}
      </TabBar>
      <div class="panel" {...tabPanelProps(active)}>
        <TabPanel key={active} tab={active} />
      </div>
    </main>
  );
}

export function App(): VNode {
  const { state } = useInspector();
  const flow = state.parts.flow.value;
  switch (flow.state) {
    case 'idle':
    case 'loading':
      return <LoadingView progress={flow.state === 'loading' ? flow.progress : undefined} />;
    case 'failed':
      return (
        <main class="inspector">
          <FailureView failure={flow.failure} source={state.source.value} onRetry={state.start} />
        </main>
      );
    case 'ready':
      return <Analysis flow={flow.value} />;
  }
}
