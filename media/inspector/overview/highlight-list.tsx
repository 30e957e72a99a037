import type { ComponentChildren, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { AddressName } from '../components/address';
import { Amount } from '../components/amount';
import { Icon } from '../components/icon';
import { NodeLink } from '../components/node-link';
import { Usd } from '../components/usd';
import { grouped, plural, shortHex, shownText } from '../grammar/text';
import { useInspector } from '../inspector-context';
import { inUnits, knownTokens } from '../tokens';
import {
  extremes,
  highlightsOf,
  LIMIT,
  type Approval,
  type Extreme,
  type Highlights,
} from './highlights';

const MAX_UINT256 = String(2n ** 256n - 1n);

function Highlight({ icon, children }: { icon: string; children: ComponentChildren }): VNode {
  return (
    <li>
      <Icon name={icon} />
      <span>{children}</span>
    </li>
  );
}

function More({ count, what }: { count: number; what: string }): VNode | null {
  return count > LIMIT ? (
    <Highlight icon="ellipsis">
      <span class="quiet">{plural(count - LIMIT, what)}</span>
    </Highlight>
  ) : null;
}

/** An amount of a token as far as its decimals are known. */
function TokenAmount({ token, raw }: { token: string; raw: string }): VNode {
  const { state } = useInspector();
  const { symbol, decimals } = knownTokens(state.parts).get(token) ?? {};
  const unit = symbol ?? state.names.value(token) ?? shortHex(token);
  return decimals === undefined ? (
    <span title="In the smallest unit: the decimals are not known">
      <Amount value={raw} symbol={unit} /> <span class="quiet">raw units</span>
    </span>
  ) : (
    <Amount value={inUnits(raw, decimals)} symbol={unit} />
  );
}

function Worth({ extreme, verb }: { extreme: Extreme; verb: 'gained' | 'lost' }): VNode {
  const gained = verb === 'gained';
  return (
    <Highlight icon={gained ? 'arrow-up' : 'arrow-down'}>
      <AddressName address={extreme.account} /> {verb} most:{' '}
      <span class={gained ? 'inflow' : 'outflow'}>
        <Usd
          amount={extreme.total < 0n ? -extreme.total : extreme.total}
          sign={gained ? '+' : '−'}
        />
      </span>
    </Highlight>
  );
}

function ApprovalLine({ approval }: { approval: Approval }): VNode {
  const { id, token, owner, spender, value, scope } = approval;
  const revoked = value === '0' || value === 'false';
  return (
    <Highlight icon={revoked ? 'lock' : 'unlock'}>
      <AddressName address={owner} />{' '}
      <NodeLink id={id}>{revoked ? 'no longer lets' : 'lets'}</NodeLink>{' '}
      <AddressName address={spender} /> spend {scope === 'all' && 'every token of '}
      {scope === 'token' && `#${shownText(value, 12)} of `}
      {scope === 'amount' && !revoked && value !== MAX_UINT256 ? (
        <TokenAmount token={token} raw={value} />
      ) : (
        <>
          {scope === 'amount' && !revoked && <strong>any amount of </strong>}
          <AddressName address={token} />
        </>
      )}
    </Highlight>
  );
}

function Contracts({
  icon,
  verb,
  all,
}: {
  icon: string;
  verb: string;
  all: Highlights['created'];
}): VNode {
  return (
    <>
      {all.first.map(({ id, address }) => (
        <Highlight key={id} icon={icon}>
          <AddressName address={address} /> was <NodeLink id={id}>{verb}</NodeLink>
        </Highlight>
      ))}
      <More count={all.count} what={`more contract`} />
    </>
  );
}

function Uncertain({ guessed, unknown }: Highlights): VNode | null {
  if (guessed + unknown === 0) return null;
  const parts = [
    ...(guessed > 0 ? [`${plural(guessed, 'call')} decoded by a guess`] : []),
    ...(unknown > 0 ? [`${plural(unknown, 'call')} of an unknown method`] : []),
  ];
  return <Highlight icon="question">{parts.join(', ')}</Highlight>;
}

/** What should not be missed, each with the way to it. */
export function HighlightList(): VNode {
  const { state } = useInspector();
  const tree = state.calls.tree.value;
  const part = state.parts.flow.value;
  const whole = part.state === 'ready' && part.missing === 0;
  const found = useMemo(() => (whole ? highlightsOf(tree) : undefined), [tree, whole]);
  const balances = state.parts.balanceChange.value;
  const { gain, loss } = balances.state === 'ready' ? extremes(balances.value) : {};
  if (!found) return <p class="quiet">Reading the call tree…</p>;
  const { approvals, created, destroyed, swallowed, roundTrips } = found;
  const nothing =
    !gain &&
    !loss &&
    !swallowed.count &&
    !roundTrips.length &&
    !found.guessed &&
    !found.unknown &&
    approvals.count + created.count + destroyed.count === 0;
  if (nothing) return <p class="quiet">Nothing stands out.</p>;
  return (
    <ul class="list highlights">
      {gain && <Worth extreme={gain} verb="gained" />}
      {loss && <Worth extreme={loss} verb="lost" />}
      {roundTrips.map(({ id, lender, borrower, token, amount }) => (
        <Highlight key={id} icon="sync">
          <AddressName address={borrower} /> <NodeLink id={id}>borrowed</NodeLink>{' '}
          <TokenAmount token={token} raw={String(amount)} /> from <AddressName address={lender} />{' '}
          and gave it back
        </Highlight>
      ))}
      {approvals.first.map((approval) => (
        <ApprovalLine key={approval.id} approval={approval} />
      ))}
      <More count={approvals.count} what="more approval" />
      <Contracts icon="add" verb="created" all={created} />
      <Contracts icon="trash" verb="destroyed" all={destroyed} />
      {swallowed.first !== undefined && (
        <Highlight icon="warning">
          {grouped(String(swallowed.count))}{' '}
          <NodeLink id={swallowed.first}>
            {swallowed.count === 1 ? 'inner call failed' : 'inner calls failed'}
          </NodeLink>{' '}
          while the caller went on
        </Highlight>
      )}
      <Uncertain {...found} />
    </ul>
  );
}
