import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { Finding } from '../../../server/api/summary';
import { findingSegments } from '../../../server/presentation/finding-segments';
import { Icon } from '../components/icon';
import { NodeLink } from '../components/node-link';
import { Sentence, useNaming } from '../components/sentence';
import { grouped, shortHex } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';

/** A transaction of the same block, which opens in an inspector of its own. */
function Neighbour({ transaction }: { transaction: Transaction }): VNode {
  const { post, state } = useInspector();
  const { hash, position } = transaction;
  const text = l10n.t('transaction {0} of the block', position);
  if (state.hostContext.value.isPage === true) {
    return (
      <span title={hash}>
        {text} (<bdi>{shortHex(hash)}</bdi>)
      </span>
    );
  }
  return (
    <button
      type="button"
      class="link"
      title={hash}
      onClick={() => {
        post({ type: 'openTransaction', transaction: hash });
      }}
    >
      {text}
    </button>
  );
}

type Transaction = NonNullable<Finding['transactions']>[number];

/** A comma stays beside what it follows at the end of a line. */
function Evidence({ isLast, children }: { isLast: boolean; children: VNode }): VNode {
  return (
    <>
      <span class="evidence">
        {children}
        {!isLast && ','}
      </span>{' '}
    </>
  );
}

function FindingLine({ finding }: { finding: Finding }): VNode {
  const { nodeIds, transactions = [] } = finding;
  const naming = useNaming();
  return (
    <li>
      <Icon name="shield" />
      <span>
        <Sentence segments={findingSegments(finding, naming)} />{' '}
        {nodeIds.map((id, index) => (
          <Evidence key={id} isLast={index === nodeIds.length + transactions.length - 1}>
            <NodeLink id={id}>{l10n.t('step {0}', index + 1)}</NodeLink>
          </Evidence>
        ))}
        {transactions.map((one, index) => (
          <Evidence key={one.hash} isLast={index === transactions.length - 1}>
            <Neighbour transaction={one} />
          </Evidence>
        ))}
      </span>
    </li>
  );
}

/** Security findings, each with links to the nodes that show it. */
export function FindingLines(props: { findings: readonly Finding[]; more: number }): VNode | null {
  const { findings, more } = props;
  if (findings.length === 0) return null;
  return (
    <>
      <h2>{l10n.t('Security')}</h2>
      <ul class="list story">
        {findings.map((finding, index) => (
          <FindingLine key={index} finding={finding} />
        ))}
        {more > 0 && <li class="quiet">{l10n.t('and {0} more', grouped(String(more)))}</li>}
      </ul>
    </>
  );
}
