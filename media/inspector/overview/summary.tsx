import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { SummaryClause } from '../../../server/api/summary';
import { clauseSegments } from '../../../server/presentation/clause-segments';
import { grouped } from '../../../server/presentation/text';
import { HEADLINE_CLAUSES } from '../card/card';
import { Icon } from '../components/icon';
import { Sentence, useNaming } from '../components/sentence';
import type { Flow } from '../protocol/protocol';
import { FailureLines } from './failure-lines';
import { FindingLines } from './finding-lines';
import { ContradictionLines } from './contradiction-lines';

function Clause({ clause, isDone }: { clause: SummaryClause; isDone: boolean }): VNode {
  const naming = useNaming();
  return (
    <li>
      <Icon name={isDone ? 'arrow-small-right' : 'error'} />
      <span>
        <Sentence segments={clauseSegments(clause, isDone, naming)} />
      </span>
    </li>
  );
}

/** What the transaction did, as far as the headline leaves it out, why it failed, and what an auditor should look at, each with links to the call tree. */
export function Summary({ flow }: { flow: Flow }): VNode | null {
  const { summary, status } = flow;
  if (!summary) return null;
  const { clauses, moreClauses, failure, contradictions = [], moreContradictions = 0 } = summary;
  return (
    <>
      {clauses.length > HEADLINE_CLAUSES && (
        <>
          <h2>{l10n.t('What happened')}</h2>
          <ul class="list story">
            {clauses.map((clause, index) => (
              <Clause key={index} clause={clause} isDone={status} />
            ))}
            {moreClauses > 0 && (
              <li class="quiet">{l10n.t('and {0} more', grouped(String(moreClauses)))}</li>
            )}
          </ul>
        </>
      )}
      <ContradictionLines all={contradictions} more={moreContradictions} />
      {failure && <FailureLines failure={failure} />}
      <FindingLines findings={summary.findings} more={summary.moreFindings} />
    </>
  );
}
