import * as l10n from '@vscode/l10n';
import type { Invocation } from '../../../server/api/explorer';
import { invocationAt, type CallTree } from './tree-model';
import { callName, failureReason } from '../../../server/presentation/lines';
import type { Flow } from '../protocol/protocol';

export interface Summary {
  outcome: 'success' | 'reverted' | 'failed';
  /** Method of the top call, or the kind of transaction. */
  method: string;
  /** The reason of the failure, and the frame that threw. */
  failure?: { reason: string; origin: Invocation };
}

function outcomeOf(flow: Flow, top: Invocation | undefined): Summary['outcome'] {
  if (flow.status) return 'success';
  if (!top) return 'failed';
  return top.revertMessage !== '' || /revert/i.test(top.errorInfo) ? 'reverted' : 'failed';
}

function methodOf(flow: Flow, top: Invocation | undefined): string {
  if (flow.transaction.to === null) return l10n.t('contract creation');
  return top ? callName(top) : '';
}

export function summarize(flow: Flow, tree: CallTree, origin: number | undefined): Summary {
  const top = invocationAt(tree, 0);
  const thrower = origin === undefined ? undefined : invocationAt(tree, origin);
  return {
    outcome: outcomeOf(flow, top),
    method: methodOf(flow, top),
    ...(thrower && { failure: { reason: failureReason(thrower), origin: thrower } }),
  };
}
