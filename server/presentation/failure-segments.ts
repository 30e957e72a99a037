import * as l10n from '@vscode/l10n';
import type { FailedCall, SummaryCause } from '../api/summary';
import { fillSentence, link } from './fill-sentence';
import { reasonSegments } from './lines';
import { quantitySegments, type Naming } from './quantity-segments';
import { words, quiet, type Segment } from './segment';
import { shownText, utcTime } from './text';
import { addressSegment } from './values';

const NAME_LIMIT = 60;
const REASON_LIMIT = 300;

/** How a failed call stands to those around it. `swallowed`: its caller went on. */
export type FailedRole = 'first' | 'next' | 'swallowed';

function failedText(role: FailedRole): string {
  switch (role) {
    case 'first':
      return l10n.t('{0} [failed]({1}): {2}');
    case 'next':
      return l10n.t('then {0} [failed]({1}): {2}');
    case 'swallowed':
      return l10n.t('{0} [failed]({1}) while its caller went on: {2}');
  }
}

/** One failed call: its method and its reason. */
export function failedSegments(
  { nodeId, contract, method, reason }: FailedCall,
  role: FailedRole,
  { names }: Naming,
): Segment[] {
  const target = contract === '' ? words(l10n.t('new contract')) : addressSegment(contract, names);
  const name: Segment = { kind: 'method', text: shownText(method, NAME_LIMIT), foreign: method };
  return fillSentence(
    failedText(role),
    method === '' ? [target] : [target, quiet('.'), name],
    link(nodeId),
    reason === ''
      ? [quiet(l10n.t('no reason given'))]
      : reasonSegments(shownText(reason, REASON_LIMIT), names),
  );
}

/**
 * The sentence of a condition. Placeholders: {0} account, {1} spender, owner or contract, {2} what there was, {3} what was needed, {4} the
 * difference.
 */
function causeText({ kind }: SummaryCause): string {
  switch (kind) {
    case 'allowance':
      return l10n.t('{0} lets {1} spend {2}, but {3} was needed: {4} is missing');
    case 'balance':
      return l10n.t('{0} had {2}, but {3} was needed: {4} is missing');
    case 'nativeBalance':
      return l10n.t('{0} had less than {3}');
    case 'deadline':
      return l10n.t('The deadline {2} had passed: the time of the block was {3}');
    case 'owner':
      return l10n.t('The owner is {1}, but the caller was {0}');
    case 'paused':
      return l10n.t('{1} is paused');
    case 'slippage':
      return l10n.t('The swap gives {2}, but at least {3} was demanded: {4} is missing');
    default:
      return unknownText(kind);
  }
}

/** Of a kind that only newer services know. */
const unknownText = (kind: never): string =>
  l10n.t('Condition “{kind}” did not hold, for which this version has no words', {
    kind: shownText(kind, NAME_LIMIT),
  });

function proofText({ proof }: SummaryCause): string {
  switch (proof) {
    case 'read':
      return l10n.t('Proved: read from the state before the transaction');
    case 'trace':
      return l10n.t('Proved by the [call tree]({0})');
    case 'block':
      return l10n.t('Proved by the header of the block');
    case 'error':
      return l10n.t('Proved by the error of the [call]({0})');
    default:
      // One that only newer services know.
      return l10n.t('Proved: {kind}', { kind: shownText(proof satisfies never, NAME_LIMIT) });
  }
}

/** A condition that did not hold, and how that is proved. */
export function causeSegments(cause: SummaryCause, naming: Naming): Segment[] {
  const { kind, nodeId, proofNodeId = nodeId, account = '', contract, spender, owner } = cause;
  const address = (at: string): Segment[] => [addressSegment(at, naming.names)];
  const time = (seconds = 0): Segment[] => [{ kind: 'value', text: utcTime(seconds) }];
  const quantity = (one: SummaryCause['has']): Segment[] =>
    one === undefined ? [words('?')] : quantitySegments(one, naming);
  const isDeadline = kind === 'deadline';
  return [
    ...fillSentence(
      causeText(cause),
      address(account),
      address(spender ?? owner ?? contract),
      isDeadline ? time(cause.deadline) : quantity(cause.has),
      isDeadline ? time(cause.blockTime) : quantity(cause.needs),
      quantity(cause.missing),
    ),
    words('. '),
    ...fillSentence(proofText(cause), link(proofNodeId)).map((one): Segment =>
      one.nodeId === undefined ? quiet(one.text) : one,
    ),
  ];
}
