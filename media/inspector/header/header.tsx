import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import { Address, AddressName } from '../components/address';
import { ChainName } from '../components/chain-name';
import { filled } from '../components/filled';
import { Hash } from '../components/hash';
import { Icon } from '../components/icon';
import { IconButton } from '../components/icon-button';
import { Fee } from '../components/fee';
import { NativeAmount } from '../components/native-amount';
import { Segments } from '../components/segments';
import { Sentence } from '../components/sentence';
import { SourceLink } from '../components/source-link';
import { methodName, reasonSegments } from '../../../server/presentation/lines';
import { grouped, shownText, utcTime } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';
import type { Flow } from '../protocol/protocol';
import { Actions } from './actions';
import { Outcome } from './outcome';
import { cardOf } from '../card/card';
import type { Summary } from '../model/summary';
import { VERDICT_ICONS, type Verdict } from '../model/verdict';

const EXPLANATION_LIMIT = 400;
const NAME_LIMIT = 60;

function Fact({ name, children }: { name: string; children: ComponentChildren }): VNode {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Method and location of the transaction: chain or fork, block, position, time. */
function TransactionLocation({ flow, method }: { flow: Flow; method: string }): VNode {
  const { state } = useInspector();
  const { chain, blockNumber, position, timestamp } = flow.transaction;
  const { fork } = state.hostContext.value;
  return (
    <div class="where">
      {method !== '' && (
        <span class="where-part">
          <bdi class="plain" title={shownText(method, EXPLANATION_LIMIT)}>
            {shownText(method, NAME_LIMIT)}
          </bdi>
          <span class="dot">·</span>
        </span>
      )}
      <span class="where-part">
        {filled(l10n.t('on {0}'), <ChainName {...{ chain, fork, blockNumber }} />)}
        <span class="dot">·</span>
      </span>
      <span class="where-part">
        {filled(l10n.t('block {0}'), <span class="number">{grouped(String(blockNumber))}</span>)}
        <span class="dot">·</span>
      </span>
      <span class="where-part">
        {filled(l10n.t('position {0}'), <span class="number">{position}</span>)}
        <span class="dot">·</span>
      </span>
      <span class="where-part number">{utcTime(timestamp)}</span>
    </div>
  );
}

/** How far the analysis is proved. Opens the proof. */
function Badge({ verdict }: { verdict: Verdict }): VNode {
  const { state } = useInspector();
  const { word, explanation, warnings, kind } = verdict;
  const text = shownText([explanation].concat(warnings).join(' '), EXPLANATION_LIMIT);
  return (
    <button
      type="button"
      class={`verdict verification ${kind}`}
      title={`${text}\n${l10n.t('Show the proof')}`}
      aria-label={`${word}. ${text}`}
      onClick={state.showProof}
    >
      <Icon name={VERDICT_ICONS[kind]} />
      {word}
    </button>
  );
}

function FailureReason({ failure }: { failure: NonNullable<Summary['failure']> }): VNode {
  const { state } = useInspector();
  const place = state.locations.value.get(failure.origin.id)?.failure;
  function showInTree(): void {
    const origin = state.calls.origin.value;
    if (origin !== undefined) state.showRow(origin);
  }
  const thrower = (
    <span class="plain">
      <AddressName address={failure.origin.address || failure.origin.fromAddress} />
      <span class="quiet">.</span>
      <bdi>{shownText(methodName(failure.origin), NAME_LIMIT)}</bdi>
    </span>
  );
  return (
    <div class="why">
      <span class="why-label">{l10n.t('Why')}</span>{' '}
      <span class="why-reason">
        <Segments segments={reasonSegments(failure.reason, state.names.value)} />
      </span>{' '}
      <span class="why-origin">
        {place
          ? filled(l10n.t('thrown by {0} at {1}'), thrower, <SourceLink place={place} />)
          : filled(l10n.t('thrown by {0}'), thrower)}
      </span>{' '}
      <button type="button" class="link" onClick={showInTree}>
        {l10n.t('Show in tree')}
      </button>
    </div>
  );
}

/** Summary of the transaction: outcome, what happened, failure reason, sender and recipient, fee, actions. */
export function Header({ flow }: { flow: Flow }): VNode {
  const { state, post } = useInspector();
  const { transaction } = flow;
  const { hash, value } = transaction;
  const { summary, sentence, verdict } = cardOf(flow, state);
  return (
    <header class="header">
      <div class="headline">
        <Outcome summary={summary} />
        <h1>
          {sentence.length > 0 ? (
            <Sentence segments={sentence} />
          ) : (
            <bdi>{shownText(summary.method, NAME_LIMIT)}</bdi>
          )}
        </h1>
        <Badge verdict={verdict} />
      </div>
      {summary.failure && <FailureReason failure={summary.failure} />}
      <TransactionLocation flow={flow} method={sentence.length > 0 ? summary.method : ''} />
      <div class="subline">
        <dl class="facts">
          <div class="fact parties">
            <dt class="hidden">{l10n.t('From and to')}</dt>
            <dd>
              <Address address={transaction.from} />
              <Icon name="arrow-right" label={l10n.t('to')} />
              {transaction.to === null ? (
                <span class="quiet">{l10n.t('new contract')}</span>
              ) : (
                <Address address={transaction.to} />
              )}
            </dd>
          </div>
          {value !== '0' && (
            <Fact name={l10n.t('Value')}>
              <NativeAmount value={value} />
            </Fact>
          )}
          {!flow.simulation && (
            <Fact name={l10n.t('Fee')}>
              <Fee transaction={transaction} />
            </Fact>
          )}
        </dl>
        <div class="subline-end">
          {hash !== '' && !flow.simulation && (
            <dl class="facts">
              <Fact name={l10n.t('Hash')}>
                <Hash hex={hash} copyLabel={l10n.t('Copy transaction hash')} />
                {state.hostContext.value.hasExplorer && (
                  <IconButton
                    icon="link-external"
                    label={l10n.t('Open in the block explorer')}
                    onClick={() => {
                      post({ type: 'openExplorer', page: { kind: 'transaction', id: hash } });
                    }}
                  />
                )}
              </Fact>
            </dl>
          )}
          <Actions flow={flow} />
        </div>
      </div>
    </header>
  );
}
