import type { VNode } from 'preact';
import { AddressName, Address } from '../components/address';
import { CopyButton } from '../components/copy-button';
import { Icon } from '../components/icon';
import { IconButton } from '../components/icon-button';
import { Segments } from '../components/segments';
import { networkName, grouped, shortHex, shownText, utcTime } from '../grammar/text';
import { methodName, reasonSegments } from '../grammar/lines';
import { useInspector } from '../inspector-context';
import type { Flow } from '../protocol';
import { summarize, verdictOf, type Summary } from './summary';

const OUTCOMES = {
  success: { icon: 'pass-filled', word: 'Success' },
  reverted: { icon: 'error', word: 'Reverted' },
  failed: { icon: 'error', word: 'Failed' },
} as const;

function Fact({ name, children }: { name: string; children: VNode | string }): VNode {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Ether({ amount, symbol }: { amount: string; symbol: string }): VNode {
  return (
    <span class="number" title={`${amount} ${symbol}`}>
      {grouped(amount)} <bdi class="quiet">{shownText(symbol, 16)}</bdi>
    </span>
  );
}

const VERDICT_ICONS = { proved: 'verified', simulated: 'beaker', different: 'warning' } as const;

function Verification({ flow }: { flow: Flow }): VNode {
  const { word, explanation, kind } = verdictOf(flow);
  const text = shownText(explanation, 400);
  return (
    <span
      class={`verification ${kind}`}
      tabIndex={0}
      role="note"
      title={text}
      aria-label={`${word}. ${text}`}
    >
      <Icon name={VERDICT_ICONS[kind]} />
      {word}
    </span>
  );
}

function Why({ failure }: { failure: NonNullable<Summary['failure']> }): VNode {
  const { state } = useInspector();
  function showInTree(): void {
    const origin = state.calls.origin.value;
    if (origin !== undefined) state.showRow(origin);
  }
  return (
    <div class="why">
      <span class="why-label">Why</span>{' '}
      <span class="why-reason">
        <Segments segments={reasonSegments(failure.reason, state.names.value)} />
      </span>{' '}
      <span class="why-origin">
        <span class="quiet">thrown by </span>
        <AddressName address={failure.origin.address || failure.origin.fromAddress} />
        <span class="quiet">.</span>
        <bdi>{shownText(methodName(failure.origin), 60)}</bdi>
      </span>{' '}
      <button type="button" class="link" onClick={showInTree}>
        Show in tree
      </button>
    </div>
  );
}

/** The first screen's answer: did it work, why not, who did what to whom, what did it cost. */
export function Header({ flow }: { flow: Flow }): VNode {
  const { state, post } = useInspector();
  const { transaction } = flow;
  const summary = summarize(flow, state.calls.tree.value, state.calls.origin.value);
  const { icon, word } = OUTCOMES[summary.outcome];
  return (
    <header class="header">
      <div class="headline">
        <span class={`outcome ${summary.outcome}`}>
          <Icon name={icon} />
          {word}
        </span>
        <h1>
          <bdi title={summary.method}>{shownText(summary.method, 80)}</bdi>
        </h1>
        <span class="where">
          on <bdi title={transaction.chain}>{networkName(transaction.chain)}</bdi>
          <span class="dot">·</span>block{' '}
          <span class="number">{grouped(String(transaction.blockNumber))}</span>
          <span class="dot">·</span>position <span class="number">{transaction.position}</span>
          <span class="dot">·</span>
          <span class="number">{utcTime(transaction.timestamp)}</span>
        </span>
        <Verification flow={flow} />
      </div>
      <dl class="facts">
        <div class="fact parties">
          <dt class="hidden">From and to</dt>
          <dd>
            <Address address={transaction.from} />
            <Icon name="arrow-right" label="to" />
            {transaction.to === null ? (
              <span class="quiet">new contract</span>
            ) : (
              <Address address={transaction.to} />
            )}
          </dd>
        </div>
        <Fact name="Value">
          <Ether amount={transaction.value} symbol={transaction.nativeSymbol} />
        </Fact>
        <Fact name="Fee">
          {transaction.fee === '' ? (
            <span class="quiet">unknown</span>
          ) : (
            <Ether amount={transaction.fee} symbol={transaction.nativeSymbol} />
          )}
        </Fact>
        <Fact name="Gas">
          <span class="number">{grouped(String(transaction.gasUsed))}</span>
        </Fact>
        <Fact name="Hash">
          <span class="party">
            <bdi class="hex" title={transaction.hash}>
              {shortHex(transaction.hash)}
            </bdi>
            <CopyButton text={transaction.hash} what="transaction hash" />
            {state.surroundings.value.hasExplorer && (
              <IconButton
                icon="link-external"
                label="Open in the block explorer"
                onClick={() => {
                  post({
                    type: 'openExplorer',
                    page: { kind: 'transaction', id: transaction.hash },
                  });
                }}
              />
            )}
          </span>
        </Fact>
      </dl>
      {summary.failure && <Why failure={summary.failure} />}
    </header>
  );
}
