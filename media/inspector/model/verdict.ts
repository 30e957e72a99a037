import * as l10n from '@vscode/l10n';
import type { BalanceComparison } from '../../../server/api/verification';
import { proofWord } from '../../../server/presentation/proof-words';
import { grouped } from '../../../server/presentation/text';
import type { Flow } from '../protocol/protocol';

function sourceText({ method, level }: NonNullable<Flow['verification']>): string {
  if (method === 'replay') return l10n.t('The trace comes from a local replay.');
  // Other traces of the node lack something, and are not proved.
  return level === 'receipt'
    ? l10n.t('The trace comes from the node.')
    : l10n.t("The trace comes from the node's debug API.");
}

/** Describes where a simulation ran. */
function placeText({ blockNumber, position }: NonNullable<Flow['simulation']>): string {
  const block = grouped(String(blockNumber));
  return position === 1
    ? l10n.t('It ran in block {0} after 1 transaction.', block)
    : l10n.t('It ran in block {0} after {1} transactions.', block, grouped(String(position)));
}

function guessText({ proof, reason }: NonNullable<Flow['verification']>): string {
  if (proof === 'running') {
    return l10n.t(
      'Earlier transactions of the block that share no visible account with it were skipped. The proof that they do not matter is running.',
    );
  }
  return reason === undefined
    ? l10n.t('It is not proved that the rest of its block does not matter.')
    : l10n.t('More is not proved: {0}.', reason);
}

/** To what degree the trace is proved: a short label and an explanation. */
export interface Verdict {
  word: string;
  explanation: string;
  /** What the execution assumes or lacks, as the service words it. */
  warnings: readonly string[];
  kind: 'proved' | 'guessed' | 'simulated' | 'different';
}

export const VERDICT_ICONS = {
  proved: 'verified',
  guessed: 'checklist',
  simulated: 'beaker',
  different: 'warning',
} as const satisfies Record<Verdict['kind'], string>;

/** @param balances how the balance changes were compared with the state, once that is known */
export function verdictOf(flow: Flow, balances?: BalanceComparison): Verdict {
  const found = traceVerdict(flow);
  const warnings = (flow.verification ?? flow.simulation)?.warnings ?? [];
  const dispute = disputeOf(flow, flow.simulation ?? balances);
  if (dispute === undefined || found.kind === 'different') return { ...found, warnings };
  const { word, explanation } = dispute;
  return {
    word,
    explanation: `${explanation} ${found.explanation}`,
    warnings,
    kind: 'different',
  };
}

/** What events or calls say of balances, and the state contradicts. */
function disputeOf(
  { summary }: Flow,
  balances: BalanceComparison | undefined,
): Pick<Verdict, 'word' | 'explanation'> | undefined {
  const isContradicted = (summary?.contradictions ?? []).length > 0;
  if (isContradicted || balances?.tokens === 'different') {
    return {
      word: l10n.t('Events differ from state'),
      explanation: l10n.t('The amounts in the events differ from the balance changes.'),
    };
  }
  return balances?.native === 'different'
    ? {
        word: l10n.t('Balances differ'),
        explanation: l10n.t('Native balance changes differ from those of the state.'),
      }
    : undefined;
}

function traceVerdict({ verification, simulation }: Flow): Omit<Verdict, 'warnings'> {
  if (!verification) {
    const sentences = [
      l10n.t('This transaction is unsent, so there is no receipt to compare it with.'),
      ...(simulation ? [placeText(simulation)] : []),
    ];
    return {
      word: l10n.t('Simulated'),
      explanation: sentences.join(' '),
      kind: 'simulated',
    };
  }
  const source = sourceText(verification);
  const equal = l10n.t('Its status, gas and logs equal those of the receipt on the chain.');
  const corrected =
    verification.corrected === undefined
      ? []
      : [l10n.t('It replaces an answer that was wrong: {0}.', verification.corrected)];
  if (verification.level === 'state-proved') {
    const isReplay = verification.method === 'replay';
    const proved = l10n.t(
      'All earlier transactions of the block were executed, and the state that it leaves is that of the chain.',
    );
    return {
      word: proofWord('matches'),
      explanation: [source, equal, ...(isReplay ? [proved] : []), ...corrected].join(' '),
      kind: 'proved',
    };
  }
  if (verification.level === 'receipt') {
    return {
      word:
        verification.proof === 'running'
          ? l10n.t('Receipt only, proof running')
          : proofWord('receipt'),
      explanation: [source, equal, guessText(verification), ...corrected].join(' '),
      kind: 'guessed',
    };
  }
  const difference = verification.firstDifference ?? l10n.t('not known where');
  const warning = l10n.t(
    'It differs from the receipt on the chain ({0}): do not rely on it.',
    difference,
  );
  return {
    word: proofWord('differs'),
    explanation: `${source} ${warning}`,
    kind: 'different',
  };
}
