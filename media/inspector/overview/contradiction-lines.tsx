import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { SummaryContradiction } from '../../../server/api/summary';
import { contradictionSegments } from '../../../server/presentation/contradiction-segments';
import { grouped } from '../../../server/presentation/text';
import { Icon } from '../components/icon';
import { Sentence, useNaming } from '../components/sentence';

/** What events claim and the state contradicts, each with the measured amount. */
export function ContradictionLines(props: {
  all: readonly SummaryContradiction[];
  more: number;
}): VNode | null {
  const { all, more } = props;
  const naming = useNaming();
  if (all.length === 0) return null;
  return (
    <ul class="list story">
      {all.map((one, index) => (
        <li key={index} class="verification different">
          <Icon name="warning" />
          <span>
            <Sentence segments={contradictionSegments(one, naming)} />
          </span>
        </li>
      ))}
      {more > 0 && <li class="quiet">{l10n.t('and {0} more', grouped(String(more)))}</li>}
    </ul>
  );
}
