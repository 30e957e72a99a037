import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { SkeletonRows } from '../components/loading-view';
import { useInspector } from '../ui-state/inspector-context';
import { Facts } from './facts';
import { HighlightList } from './highlight-list';
import { KindFacts } from './kind-facts';
import { Proof } from './proof';
import { Summary } from './summary';

/** Overview of the transaction: highlights, proof, facts. */
export function Overview(): VNode {
  const { state } = useInspector();
  const flow = state.flow.value;
  if (!flow) return <SkeletonRows />;
  return (
    <div class="scroller overview" tabIndex={0} role="region" aria-label={l10n.t('Overview')}>
      <section aria-labelledby="overview-highlights">
        <Summary flow={flow} />
        <h2 id="overview-highlights">{l10n.t('Highlights')}</h2>
        <HighlightList />
        <h2>{l10n.t('Proof')}</h2>
        <Proof flow={flow} />
      </section>
      <section aria-labelledby="overview-facts">
        <h2 id="overview-facts">
          {flow.simulation ? l10n.t('Simulation') : l10n.t('Transaction')}
        </h2>
        <Facts flow={flow} />
        <KindFacts transaction={flow.transaction} />
      </section>
    </div>
  );
}
