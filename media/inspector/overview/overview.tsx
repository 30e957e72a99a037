import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { PartyTable } from '../card/party-table';
import { FoldOut } from '../components/fold-out';
import { SkeletonRows } from '../components/loading-view';
import { useInspector } from '../ui-state/inspector-context';
import { Facts } from './facts';
import { HighlightList } from './highlight-list';
import { KindFacts } from './kind-facts';
import { Proof } from './proof';
import { Summary } from './summary';

/** Overview of the transaction: why it failed, findings and highlights; beside them who gained and lost, the proof and the facts. */
export function Overview(): VNode {
  const { state } = useInspector();
  const flow = state.flow.value;
  if (!flow) return <SkeletonRows />;
  return (
    <div class="scroller overview" tabIndex={0} role="region" aria-label={l10n.t('Overview')}>
      <section>
        <Summary flow={flow} />
        <HighlightList />
      </section>
      <section>
        <h2>{l10n.t('Who gained, who lost')}</h2>
        <PartyTable flow={flow} />
        <KindFacts transaction={flow.transaction} />
        <Proof flow={flow} />
        <FoldOut
          id="overview-facts"
          title={<h2>{flow.simulation ? l10n.t('Simulation') : l10n.t('Transaction')}</h2>}
          isOpen={state.persistentSignal('overview.facts', false)}
        >
          <Facts flow={flow} />
        </FoldOut>
      </section>
    </div>
  );
}
