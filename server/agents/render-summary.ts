import type { Colors } from 'picocolors/types';
import type { FailedCall, Finding, Summary, SummaryCause } from '../api/summary';
import { visibleText } from '../api/visible-text';
import { utc } from '../client/format';
import { sentenceOf } from './render-clauses';
import { contradictionText } from './render-contradictions';
import { CLAIMED, quantityText } from './summary-amounts';

export interface RenderSummaryOptions {
  colors: Colors;
  nameOf: (address: string) => string;
  /** Whether the transaction succeeded. */
  status: boolean;
}

const REASON_CHARACTERS = 200;

/** The sentence, the reasons of a failure and the findings, one a line. Numbers after `#` are nodes of the invocation flow. */
export function renderSummary(summary: Summary, options: RenderSummaryOptions): string {
  const { colors, nameOf, status } = options;
  const sentence = sentenceOf(summary, status, nameOf);
  const { failure, findings, moreFindings, swallowed, swallowedCount } = summary;
  const why = failure?.chain.map((call, index) =>
    colors.red(`${index === 0 ? 'Why' : 'then'}: ${failedText(call, nameOf)}`),
  );
  const causes = failure?.causes.map((cause) => `Proved: ${causeText(cause, nameOf)}`);
  const caught = swallowed.map(
    (call) => `Failed, and its caller went on: ${failedText(call, nameOf)}`,
  );
  const more = swallowedCount - swallowed.length;
  const { contradictions = [], moreContradictions = 0 } = summary;
  return [
    ...(sentence === '' ? [] : [colors.bold(sentence)]),
    ...contradictions.map((one) => colors.yellow(`! ${contradictionText(one, nameOf)}`)),
    ...(moreContradictions > 0
      ? [`${moreContradictions} more contradictions between events and the state`]
      : []),
    ...(why ?? []),
    ...(causes ?? []),
    ...caught,
    ...(more > 0 ? [`${more} more calls failed while their callers went on`] : []),
    ...findings.map((finding) => colors.yellow(`! ${findingText(finding, nameOf)}`)),
    ...(moreFindings > 0 ? [`${moreFindings} more findings`] : []),
  ].join('\n');
}

/** Nodes of the invocation flow to which the text of a summary refers. */
export function referredNodes(summary: Summary): ReadonlySet<number> {
  const { failure, findings, swallowed, contradictions = [] } = summary;
  return new Set([
    ...findings.flatMap(({ nodeIds }) => nodeIds),
    ...contradictions.flatMap(({ nodeIds }) => nodeIds),
    ...(failure?.chain ?? []).map(({ nodeId }) => nodeId),
    ...swallowed.map(({ nodeId }) => nodeId),
    ...(failure?.causes ?? []).flatMap(({ proof, proofNodeId = 0 }) =>
      proof === 'trace' ? [proofNodeId] : [],
    ),
  ]);
}

type NameOf = RenderSummaryOptions['nameOf'];

function failedText({ contract, method, reason, nodeId }: FailedCall, nameOf: NameOf): string {
  const name = contract === '' ? 'the new contract' : nameOf(contract);
  const call = method === '' ? name : `${name}.${method}`;
  const text =
    reason.length > REASON_CHARACTERS ? `${reason.slice(0, REASON_CHARACTERS)}…` : reason;
  return `${visibleText(`${call}: ${text === '' ? 'no reason given' : text}`)} (#${nodeId})`;
}

function causeText(cause: SummaryCause, nameOf: NameOf): string {
  return `${conditionText(cause, nameOf)} (${proofText(cause)})`;
}

function conditionText(cause: SummaryCause, nameOf: NameOf): string {
  const name = (address = ''): string => nameOf(address);
  const amount = (quantity: SummaryCause['has']): string =>
    quantity === undefined ? '?' : quantityText(quantity, nameOf);
  const { account, contract, spender, owner } = cause;
  const [has, needs, missing] = [cause.has, cause.needs, cause.missing].map(amount);
  switch (cause.kind) {
    case 'allowance':
      return `${name(account)} lets ${name(spender)} spend ${has}, and ${needs} was needed: ${missing} is missing`;
    case 'balance':
      return `${name(account)} had ${has}, and ${needs} was needed: ${missing} is missing`;
    case 'nativeBalance':
      return `${name(account)} had less than ${needs}`;
    case 'deadline':
      return `the deadline was ${utc(cause.deadline ?? 0)}, and the time of the block ${utc(cause.blockTime ?? 0)} UTC`;
    case 'owner':
      return `the owner of ${name(contract)} is ${name(owner)}, and the caller was ${name(account)}`;
    case 'paused':
      return `${name(contract)} is paused`;
    case 'slippage':
      return `the swap gives ${has}, and at least ${needs} was demanded: ${missing} is missing`;
  }
}

function proofText({ proof, proofNodeId }: SummaryCause): string {
  switch (proof) {
    case 'read':
      return 'read from the state before the transaction';
    case 'trace':
      return `by #${proofNodeId ?? 0}`;
    case 'block':
      return 'by the header of the block';
    case 'error':
      return 'by the error of the call';
  }
}

function findingText(finding: Finding, nameOf: NameOf): string {
  const [contract, account, other, before] = [
    finding.contract,
    finding.account,
    finding.other,
    finding.before,
  ].map((address) => (address === undefined ? '' : nameOf(address)));
  const [first = '', second = ''] = finding.amounts.map((one) => quantityText(one, nameOf));
  const nodes = finding.nodeIds.map((id) => `#${id}`).join(' ');
  const text = (): string => {
    switch (finding.kind) {
      case 'reentered':
        return `Reentrancy: ${account} called ${contract} again while it was paid, and was paid again: ${first} in all`;
      case 'flashLoan':
        return `Flash loan: ${account} borrowed ${first} from ${contract} and gave it back`;
      case 'reserveMoved':
        return `Price moved: ${account} read the price of ${contract} between two opposite swaps`;
      case 'approvalDrained':
        return `Approval used: ${other} took ${first} from ${account}, and gave nothing for it`;
      case 'ownerChanged':
        return `Owner changed: ${contract} from ${before} to ${other}`;
      case 'implementationChanged':
        return `Code changed: ${contract} now runs ${other}`;
      case 'freshDelegatecall':
        return `Fresh code: ${contract} ran ${other}, which the transaction created`;
      case 'selfDestruct':
        return `Self-destruct: ${contract}${first === '' ? '' : ` sent ${first} to ${account}`}`;
      case 'transferFee':
        return `Transfer fee: of ${first} only ${second} arrived at ${other}`;
      case 'decimalsDisputed':
        return `Disputed decimals: ${contract} answers ${finding.decimals?.own}, a list of well-known tokens says ${finding.decimals?.listed}; its amounts are in the smallest unit`;
      case 'approvalToAccount':
        return `Approval to an account: ${other} is not a contract, and can take ${first} from ${account} at any time`;
      case 'sandwiched': {
        const [front, back] = finding.transactions ?? [];
        return `Sandwich: ${account} traded with ${contract} right before and after: ${front?.hash}, ${back?.hash}`;
      }
      case 'unlimitedApproval':
        return `Unlimited approval: ${other} can take any amount of ${contract} from ${account}`;
    }
  };
  const claim = finding.isClaimed ? CLAIMED : '';
  return `${text()}${claim} (${nodes})`;
}
