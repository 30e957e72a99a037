import type { Invocation } from '../../../server/api/explorer';
import { invocationAt, type CallTree } from '../call-tree/tree-model';
import { failureReason, methodName } from '../grammar/lines';
import { grouped, plural } from '../grammar/text';
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
  if (flow.transaction.to === null) return 'contract creation';
  if (
    top &&
    flow.rows.length === 1 &&
    top.selector === 'fallback' &&
    /^(0x)?$/.test(top.callData)
  ) {
    return 'native transfer';
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

const SOURCES = {
  debug: "The trace comes from the node's debug API.",
  replay: 'The trace comes from a local replay of the block up to this transaction.',
};

/** How far the trace is proved, in a word and in sentences. */
export interface Verdict {
  word: string;
  explanation: string;
  kind: 'proved' | 'simulated' | 'different';
}

export const VERDICT_ICONS = {
  proved: 'verified',
  simulated: 'beaker',
  different: 'warning',
} as const satisfies Record<Verdict['kind'], string>;

export function verdictOf({ verification, simulation }: Flow): Verdict {
  if (!verification) {
    const place = simulation
      ? ` It ran in block ${grouped(String(simulation.blockNumber))} behind ${plural(simulation.position, 'transaction')}.`
      : '';
    return {
      word: 'Simulated',
      explanation: `Nobody has sent this transaction, so there is no receipt to compare it with.${place}`,
      kind: 'simulated',
    };
  }
  const source = SOURCES[verification.method];
  if (verification.faithful) {
    return {
      word: verification.method === 'debug' ? 'Verified' : 'Verified replay',
      explanation: `${source} Its status, gas and logs equal those of the receipt on the chain.`,
      kind: 'proved',
    };
  }
  const difference = verification.firstDifference ?? 'not known where';
  return {
    word: 'Differs from receipt',
    explanation: `${source} It differs from the receipt on the chain (${difference}): do not rely on it.`,
    kind: 'different',
  };
}
