import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { everything, topCalls } from '../ui-state/expansion';
import { FailureView } from '../components/failure-view';
import { filled } from '../components/filled';
import { IconButton } from '../components/icon-button';
import { ProgressNote, SkeletonRows } from '../components/loading-view';
import { Segments } from '../components/segments';
import { SourceName } from '../components/source-name';
import { TabBar, tabPanelProps } from '../components/tab-bar';
import { reasonSegments } from '../../../server/presentation/lines';
import { grouped, shownText } from '../../../server/presentation/text';
import { Outcome } from '../header/outcome';
import { summarize } from '../model/summary';
import type { InspectorState } from '../ui-state/state';
import { CompareBalances } from './compare-balances-view';
import { CompareCalls } from './compare-calls';
import { CompareDetails } from './compare-details';
import type { CompareState } from './compare-state';
import type { Comparison } from './differences';

/** Source and outcome of one side. */
function SideHead({ name, side }: { name: string; side: InspectorState }): VNode {
  const source = side.source.value;
  const flow = side.flow.value;
  const summary = flow && summarize(flow, side.calls.tree.value, side.calls.origin.value);
  return (
    <div class="compare-side">
      <span class="quiet">{name}</span>{' '}
      {source && (
        <SourceName
          source={source}
          fork={side.hostContext.value.fork}
          blockNumber={flow?.transaction.blockNumber}
        />
      )}
      {flow && summary && (
        <div>
          <Outcome summary={summary} /> <bdi>{shownText(summary.method, 60)}</bdi>
          <span class="quiet">
            {' · '}
            {filled(
              l10n.t('gas {0}'),
              <span class="number plain">{grouped(String(flow.transaction.gasUsed))}</span>,
            )}
          </span>
          {summary.failure && (
            <span class="compare-reason">
              {' '}
              <Segments segments={reasonSegments(summary.failure.reason, side.names.value)} />
            </span>
          )}
        </div>
      )}
    </div>
  );
}

function failedSide({ left, right }: CompareState): VNode | undefined {
  const sides = [left, right];
  for (const side of sides) {
    const part = side.parts.flow.value;
    if (part.state !== 'failed') continue;
    return (
      <FailureView
        failure={part.failure}
        source={side.source.value}
        onRetry={() => {
          for (const each of sides) each.start();
        }}
      />
    );
  }
  return undefined;
}

/** Shows which sides are still loading, and the progress of the first of them. */
function Loading({ state }: { state: CompareState }): VNode {
  const sides = [state.left, state.right];
  const pending = sides.flatMap(({ parts }) => {
    const flow = parts.flow.value;
    return flow.state === 'loading' ? [flow] : [];
  });
  return (
    <div class="scroller" aria-busy="true">
      <div class="progress" />
      <ProgressNote
        progress={pending[0]?.progress}
        onCancel={() => {
          for (const side of sides) side.stop();
        }}
      >
        {pending.length === 1
          ? l10n.t('Analyzing the other side…')
          : l10n.t('Analyzing both sides…')}
      </ProgressNote>
      <SkeletonRows />
    </div>
  );
}

function countText(count: number): string {
  if (count === 0) return l10n.t('No difference');
  return count === 1 ? l10n.t('1 difference') : l10n.t('{0} differences', grouped(String(count)));
}

function Toolbar({ state, comparison }: { state: CompareState; comparison: Comparison }): VNode {
  const { selected, expansion, onlyDifferences, tab, step } = state;
  const { divergences } = comparison;
  const count = divergences.length;
  const at = divergences.indexOf(selected.value);
  return (
    <TabBar
      tabs={[
        { id: 'calls', title: l10n.t('Calls') },
        { id: 'balances', title: l10n.t('Balance changes') },
      ]}
      active={tab.value}
      onSelect={(chosen) => {
        tab.value = chosen;
      }}
    >
      <div class="toolbar" role="toolbar" aria-label={l10n.t('Differences')}>
        <span class="quiet compare-count" role="status">
          {at < 0
            ? countText(count)
            : l10n.t('{0} of {1}', grouped(String(at + 1)), grouped(String(count)))}
        </span>
        <IconButton
          icon="arrow-up"
          label={l10n.t('Previous difference (Shift+N)')}
          disabled={count === 0}
          onClick={() => {
            step(-1);
          }}
        />
        <IconButton
          icon="arrow-down"
          label={l10n.t('Next difference (N)')}
          disabled={count === 0}
          onClick={() => {
            step(1);
          }}
        />
        <IconButton
          icon="expand-all"
          label={l10n.t('Expand all')}
          onClick={() => {
            expansion.value = everything;
          }}
        />
        <IconButton
          icon="collapse-all"
          label={l10n.t('Collapse to the top calls')}
          onClick={() => {
            expansion.value = topCalls;
          }}
        />
        <IconButton
          icon="list-filter"
          label={l10n.t('Show differences only')}
          pressed={onlyDifferences.value}
          onClick={() => {
            onlyDifferences.value = !onlyDifferences.value;
          }}
        />
      </div>
    </TabBar>
  );
}

/** Two analyses side by side, opened at the first difference. */
export function CompareView({ state }: { state: CompareState }): VNode {
  const comparison = state.comparison.value;

  useEffect(() => {
    if (comparison) state.arrange();
  }, [comparison, state]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || !/^n$/i.test(event.key)) return;
      state.step(event.key === 'n' ? 1 : -1);
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
    };
  }, [state]);

  const { tab } = state;
  return (
    <main class="inspector compare">
      <h1 class="hidden">{l10n.t('Comparison of two analyses')}</h1>
      <header class="compare-head">
        <SideHead name={l10n.t('Left')} side={state.left} />
        <SideHead name={l10n.t('Right')} side={state.right} />
      </header>
      {failedSide(state) ??
        (comparison ? (
          <>
            <Toolbar state={state} comparison={comparison} />
            <div class="panel" {...tabPanelProps(tab.value)}>
              {tab.value === 'balances' ? (
                <CompareBalances state={state} />
              ) : (
                <div class="split">
                  <CompareCalls state={state} />
                  <CompareDetails state={state} />
                </div>
              )}
            </div>
          </>
        ) : (
          <Loading state={state} />
        ))}
    </main>
  );
}
