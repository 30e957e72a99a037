import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { NetAmount, SummaryContradiction } from '../../../server/api/summary';
import { AddressName } from '../components/address';
import { filled } from '../components/filled';
import { Icon } from '../components/icon';
import { NodeLink } from '../components/node-link';
import { grouped } from '../grammar/text';
import { AnyAmount, Quantity } from './quantities';

const isZero = ({ rawAmount }: NetAmount): boolean => rawAmount === '0';

/** Placeholders: {0} account, {1} link to the event, {2} what is claimed, {3} what was measured, {4} spender, {5} asset. */
function contradictionText({ kind, claimed, measured }: SummaryContradiction): string {
  if (kind === 'allowance') {
    return isZero(measured)
      ? l10n.t('[An event claims]({1}) that {0} lets {4} spend {2}; the allowance is zero')
      : l10n.t('[An event claims]({1}) that {0} lets {4} spend {2}; the allowance is {3}');
  }
  if (isZero(claimed)) return l10n.t('{0}: the balance changed by {3}, and no event says so');
  return isZero(measured)
    ? l10n.t('{0}: [the events claim]({1}) {2}; the balance of {5} did not change')
    : l10n.t('{0}: [the events claim]({1}) {2}; the balance changed by {3}');
}

/** An amount with its sign; of a right without one. */
function Net({ of, net }: { of: SummaryContradiction; net: NetAmount }): VNode {
  const quantity = { ...of, ...net };
  if (of.kind === 'allowance' && of.standard !== 'erc20' && of.tokenId === undefined) {
    return isZero(net) ? <span>0</span> : <AnyAmount quantity={quantity} />;
  }
  return (
    <span>
      {of.kind === 'balance' && (net.sign ? '+' : '−')}
      <Quantity quantity={quantity} />
    </span>
  );
}

function ContradictionLine({ one }: { one: SummaryContradiction }): VNode {
  const { account, spender = '', claimed, measured, nodeIds } = one;
  const [first] = nodeIds;
  return (
    <li class="verification different">
      <Icon name="warning" />
      <span>
        {filled(
          contradictionText(one),
          <AddressName address={account} />,
          (words) => (first === undefined ? <>{words}</> : <NodeLink id={first}>{words}</NodeLink>),
          <Net of={one} net={claimed} />,
          <Net of={one} net={measured} />,
          <AddressName address={spender} />,
          <AddressName address={one.asset} />,
        )}
      </span>
    </li>
  );
}

/** What events claim and the state contradicts, each with the measured amount. */
export function ContradictionLines(props: {
  all: readonly SummaryContradiction[];
  more: number;
}): VNode | null {
  const { all, more } = props;
  if (all.length === 0) return null;
  return (
    <ul class="list story">
      {all.map((one, index) => (
        <ContradictionLine key={index} one={one} />
      ))}
      {more > 0 && <li class="quiet">{l10n.t('and {0} more', grouped(String(more)))}</li>}
    </ul>
  );
}
