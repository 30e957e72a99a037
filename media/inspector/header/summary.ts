import type { Invocation } from '../../../server/api/explorer';
import { invocationAt, type CallTree } from '../call-tree/tree-model';
import { failureReason, methodName } from '../grammar/lines';
import type { Flow } from '../protocol';

export interface Summary {
  outcome: 'success' | 'reverted' | 'failed';
  /** Method of the top call, or what the transaction is. */
  method: string;
  /** Why it failed, and the frame that threw. */
  failure?: { reason: string; origin: Invocation };
}

function outcomeOf(flow: Flow, top: Invocation | undefined): Summary['outcome'] {
  if (flow.status) return 'success';
  if (!top) return 'failed';
  return top.revertMessage !== '' || /revert/i.test(top.errorInfo) ? 'reverted' : 'failed';
}

function methodOf(flow: Flow, top: Invocation | undefined): string {
  if (flow.transaction.to === null) return 'Contract creation';
  if (
    top &&
    flow.rows.length === 1 &&
    top.selector === 'fallback' &&
    /^(0x)?$/.test(top.callData)
  ) {
    return 'Transfer';
  }
  return top ? methodName(top) : '';
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

/** The verification of the trace in a word and in a sentence. */
export function verificationText(verification: Flow['verification']): {
  word: string;
  explanation: string;
} {
  const source =
    verification.method === 'debug'
      ? "The trace comes from the node's debug API."
      : 'The trace comes from a local replay of the block up to this transaction.';
  if (verification.faithful) {
    return {
      word: verification.method === 'debug' ? 'Verified' : 'Verified replay',
      explanation: `${source} Its status, gas and logs equal those of the receipt on the chain.`,
    };
  }
  const difference = verification.firstDifference ?? 'not known where';
  return {
    word: 'Differs from receipt',
    explanation: `${source} It differs from the receipt on the chain (${difference}): do not rely on it.`,
  };
}
