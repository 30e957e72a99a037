import { sentenceSegments } from '../../../server/presentation/summary-lines';
import { assetNames } from '../../../server/presentation/quantity-segments';
import type { Segment } from '../../../server/presentation/segment';
import { partyRows, type PartyRows } from '../model/party-rows';
import { summarize, type Summary } from '../model/summary';
import { verdictOf, type Verdict } from '../model/verdict';
import type { Flow } from '../protocol/protocol';
import type { InspectorState } from '../ui-state/state';

/** Clauses of the headline; the overview lists all of them if there are more. */
export const HEADLINE_CLAUSES = 3;
const SYMBOL_LIMIT = 16;

/** What the first screen says of a transaction: what happened, why, who gained, and how far that is proved. */
export interface Card {
  flow: Flow;
  summary: Summary;
  verdict: Verdict;
  /** Empty where nothing is known but the method. */
  sentence: readonly Segment[];
  parties: readonly PartyRows[];
}

/** The sentence, shortened to its first clauses. */
function headline(flow: Flow, state: InspectorState): Segment[] {
  if (!flow.summary) return [];
  const { clauses, moreClauses } = flow.summary;
  const first = clauses.slice(0, HEADLINE_CLAUSES);
  const naming = { names: state.names.value, nativeSymbol: state.nativeSymbol.value };
  const more = moreClauses + clauses.length - first.length;
  return sentenceSegments({ clauses: first, moreClauses: more }, flow.status, naming);
}

/** The accounts that matter, as the service found them; none where no balance changed. */
export function partiesOf({ summary }: Flow, state: InspectorState): PartyRows[] {
  const nameOf = assetNames(state.names.value, state.nativeSymbol.value, SYMBOL_LIMIT);
  return partyRows(summary?.parties ?? [], nameOf);
}

/** Reads signals: a component that calls it is rendered again when one changes. */
export function cardOf(flow: Flow, state: InspectorState): Card {
  const balances = state.parts.balanceChange.value;
  return {
    flow,
    summary: summarize(flow, state.calls.tree.value, state.calls.origin.value),
    verdict: verdictOf(flow, balances.state === 'ready' ? balances.value.verification : undefined),
    sentence: headline(flow, state),
    parties: partiesOf(flow, state),
  };
}
