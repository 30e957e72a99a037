import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { Finding } from '../../../server/api/summary';
import { AddressName } from '../components/address';
import { filled } from '../components/filled';
import { Icon } from '../components/icon';
import { NodeLink } from '../components/node-link';
import { grouped, shortHex } from '../grammar/text';
import { useInspector } from '../ui-state/inspector-context';
import { ClaimedMark, Quantity } from './quantities';

/** The sentence of a finding. Placeholders: {0} contract, {1} account, {2} other account, {3} earlier owner, {4} and {5} amounts. */
function findingText({ kind, amounts }: Finding): string {
  switch (kind) {
    case 'reentered':
      return l10n.t(
        'Reentrancy: {1} called {0} again while it was paid, and was paid again: {4} in all',
      );
    case 'flashLoan':
      return l10n.t('Flash loan: {1} borrowed {4} from {0} and gave it back');
    case 'reserveMoved':
      return l10n.t('Price moved: {1} read the price of {0} between two opposite swaps');
    case 'approvalDrained':
      return l10n.t('Approval used: {2} took {4} from {1}, and gave nothing for it');
    case 'ownerChanged':
      return l10n.t('Owner changed: {0} from {3} to {2}');
    case 'implementationChanged':
      return l10n.t('Code changed: {0} now runs {2}');
    case 'freshDelegatecall':
      return l10n.t('Fresh code: {0} ran {2}, which the transaction created');
    case 'selfDestruct':
      return amounts.length === 0
        ? l10n.t('Self-destruct: {0}')
        : l10n.t('Self-destruct: {0} sent {4} to {1}');
    case 'transferFee':
      return l10n.t('Transfer fee: of {4} only {5} arrived at {2}');
    case 'decimalsDisputed':
      return l10n.t(
        'Disputed decimals: {0} answers {4}, a list of well-known tokens says {5}. Its amounts are shown in the smallest unit',
      );
    case 'approvalToAccount':
      return l10n.t(
        'Approval to an account: {2} is not a contract, and can take {4} from {1} at any time',
      );
    case 'sandwiched':
      return l10n.t('Sandwich: {1} traded with {0} before and after, and sold what it had bought');
    case 'unlimitedApproval':
      return l10n.t('Unlimited approval: {2} can take any amount of {0} from {1}');
  }
}

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

function FindingLine({ finding }: { finding: Finding }): VNode {
  const { contract, account = '', other = '', before = '', amounts, nodeIds } = finding;
  const { transactions = [], decimals } = finding;
  const quantity = (index: number): VNode => {
    if (decimals) return <span>{index === 0 ? decimals.own : decimals.listed}</span>;
    const found = amounts[index];
    return <span>{found && <Quantity quantity={found} />}</span>;
  };
  return (
    <li>
      <Icon name="shield" />
      <span>
        {filled(
          findingText(finding),
          <AddressName address={contract} />,
          <AddressName address={account} />,
          <AddressName address={other} />,
          <AddressName address={before} />,
          quantity(0),
          quantity(1),
        )}{' '}
        {finding.isClaimed && <ClaimedMark />}{' '}
        {nodeIds.map((id, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <NodeLink id={id}>{l10n.t('step {0}', index + 1)}</NodeLink>
          </span>
        ))}
        {transactions.map((one, index) => (
          <span key={one.hash}>
            {index + nodeIds.length > 0 && ', '}
            <Neighbour transaction={one} />
          </span>
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
