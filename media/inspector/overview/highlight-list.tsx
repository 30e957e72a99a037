import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import type { SummaryApproval } from '../../../server/api/summary';
import { AddressName } from '../components/address';
import { Amount } from '../components/amount';
import { filled } from '../components/filled';
import { Icon } from '../components/icon';
import { NodeLink } from '../components/node-link';
import { guessTexts } from '../../../server/presentation/guesses';
import { grouped } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';
import { inUnits } from '../../../server/api/whole-units';
import { assetNames } from '../../../server/presentation/quantity-segments';
import { knownTokens } from '../grammar/tokens';
import { LIMIT, type Highlights } from '../model/highlights';
import { Sentence, useNaming } from '../components/sentence';
import { approvalSegments } from '../../../server/presentation/approval-segments';
import { useHighlights } from './use-highlights';

const SYMBOL_LIMIT = 16;

function Highlight({ icon, children }: { icon: string; children: ComponentChildren }): VNode {
  return (
    <li>
      <Icon name={icon} />
      <span>{children}</span>
    </li>
  );
}

/** Counts the entries that are not shown. @param text describes their number */
function More({ count, text }: { count: number; text: (more: number) => string }): VNode | null {
  return count > LIMIT ? (
    <Highlight icon="ellipsis">
      <span class="quiet">{text(count - LIMIT)}</span>
    </Highlight>
  ) : null;
}

/** An amount of a token, in the smallest unit if its decimals are unknown. */
function TokenAmount({ token, raw }: { token: string; raw: string }): VNode {
  const { state } = useInspector();
  const { symbol, decimals } = knownTokens(state.parts).get(token) ?? {};
  const nameOf = assetNames(state.names.value, state.nativeSymbol.value, SYMBOL_LIMIT);
  const unit = nameOf({ address: token, symbol });
  return decimals === undefined ? (
    <span title={l10n.t('In the smallest unit: the decimals are not known')}>
      <Amount value={raw} symbol={unit} /> <span class="quiet">{l10n.t('raw units')}</span>
    </span>
  ) : (
    <Amount value={inUnits(raw, decimals)} symbol={unit} />
  );
}

function ApprovalLine({ approval }: { approval: SummaryApproval }): VNode {
  const naming = useNaming();
  return (
    <Highlight icon={approval.isRevoked ? 'lock' : 'unlock'}>
      <Sentence segments={approvalSegments(approval, naming)} />
    </Highlight>
  );
}

function Contracts(props: { icon: string; text: string; all: Highlights['created'] }): VNode {
  const { icon, text, all } = props;
  return (
    <>
      {all.first.map(({ id, address }) => (
        <Highlight key={id} icon={icon}>
          {filled(text, <AddressName address={address} />, (words) => (
            <NodeLink id={id}>{words}</NodeLink>
          ))}
        </Highlight>
      ))}
      <More
        count={all.count}
        text={(more) =>
          more === 1
            ? l10n.t('1 more contract')
            : l10n.t('{0} more contracts', grouped(String(more)))
        }
      />
    </>
  );
}

function UncertainNames({ guesses, unknown }: Highlights): VNode | null {
  const unknowns =
    unknown === 1
      ? l10n.t('1 call of an unknown method')
      : l10n.t('{0} calls of an unknown method', grouped(String(unknown)));
  const parts = [...guessTexts(guesses), ...(unknown > 0 ? [unknowns] : [])];
  if (parts.length === 0) return null;
  return <Highlight icon="question">{parts.join(', ')}</Highlight>;
}

function CaughtFailures({ count, id }: { count: number; id: number }): VNode {
  const text =
    count === 1
      ? l10n.t('1 [inner call failed]({0}) while the caller went on')
      : l10n.t('{1} [inner calls failed]({0}) while the caller went on');
  return (
    <Highlight icon="warning">
      {filled(
        text,
        (words) => (
          <NodeLink id={id}>{words}</NodeLink>
        ),
        grouped(String(count)),
      )}
    </Highlight>
  );
}

/** The entries of a list that the summary does not contain. */
function withoutShown<T extends { id: number }>(
  { count, first }: { count: number; first: T[] },
  shown: ReadonlySet<number>,
): { count: number; first: T[] } {
  const rest = first.filter(({ id }) => !shown.has(id));
  return { count: count - first.length + rest.length, first: rest };
}

/** The highlights, each with a link to the call tree; nothing where nothing stands out. */
export function HighlightList(): VNode | null {
  const { state } = useInspector();
  const tree = state.calls.tree.value;
  const part = state.parts.flow.value;
  const whole = part.state === 'ready' && part.missing === 0;
  const found = useHighlights(tree, whole);
  if (!found) return <p class="quiet">{l10n.t('Reading the call tree…')}</p>;
  const summary = state.flow.value?.summary;
  const { destroyed, caughtFailures } = found;
  const shown = new Set(summary?.clauses.flatMap(({ nodeIds }) => nodeIds));
  const approvals = (summary?.approvals ?? []).filter(({ nodeIds: [id = -1] }) => !shown.has(id));
  const approvalCount = approvals.length + (summary?.moreApprovals ?? 0);
  const created = withoutShown(found.created, shown);
  // The findings of the summary contain them.
  const roundTrips = summary ? [] : found.roundTrips;
  const nothing =
    !caughtFailures.count &&
    !roundTrips.length &&
    guessTexts(found.guesses).length === 0 &&
    !found.unknown &&
    approvalCount + created.count + destroyed.count === 0;
  if (nothing) return null;
  return (
    <section>
      <h2>{l10n.t('Highlights')}</h2>
      <ul class="list highlights">
        {roundTrips.map(({ id, lender, borrower, token, amount }) => (
          <Highlight key={id} icon="sync">
            {filled(
              l10n.t('{0} [borrowed]({1}) {2} from {3} and gave it back'),
              <AddressName address={borrower} />,
              (words) => (
                <NodeLink id={id}>{words}</NodeLink>
              ),
              <TokenAmount token={token} raw={String(amount)} />,
              <AddressName address={lender} />,
            )}
          </Highlight>
        ))}
        {approvals.slice(0, LIMIT).map((approval) => (
          <ApprovalLine key={approval.nodeIds[0]} approval={approval} />
        ))}
        <More
          count={approvalCount}
          text={(more) =>
            more === 1
              ? l10n.t('1 more approval')
              : l10n.t('{0} more approvals', grouped(String(more)))
          }
        />
        <Contracts icon="add" text={l10n.t('{0} was [created]({1})')} all={created} />
        <Contracts icon="trash" text={l10n.t('{0} was [destroyed]({1})')} all={destroyed} />
        {caughtFailures.first !== undefined && (
          <CaughtFailures count={caughtFailures.count} id={caughtFailures.first} />
        )}
        <UncertainNames {...found} />
      </ul>
    </section>
  );
}
