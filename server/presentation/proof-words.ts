import * as l10n from '@vscode/l10n';
import type { BalanceComparison, TraceVerification } from '../api/verification';

/** How far an analysis is proved. `receipt`: status, gas and logs equal the receipt, and nothing more was compared. */
export type ProofKind = 'matches' | 'receipt' | 'differs';

/** The words of a level of proof, and whether all that it rests on was compared with the chain. */
export interface ProofWords {
  readonly kind: ProofKind;
  /** `Matches chain`, `Receipt only`, `Differs`. */
  readonly word: string;
  /** What was compared, what differs, and what was not compared: one fact each. */
  readonly facts: readonly string[];
}

/**
 * The level of proof in words, for every surface. A comparison of nothing is none: it is left out. Events of tokens that are not their
 * balances are a difference, too.
 * @param balances undefined where nothing is known of them
 */
export function proofWords(
  trace: Pick<TraceVerification, 'level' | 'proof' | 'reason' | 'firstDifference'>,
  balances: BalanceComparison | undefined,
): ProofWords {
  const { native, tokens, compared = { native: 0, tokens: 0 } } = balances ?? {};
  const facts = [
    executionFact(trace),
    ...balanceFacts(native, compared.native, {
      equal: (count) => l10n.t('native balances: equal to the state ({0} compared)', count),
      different: l10n.t('native balances: the state differs from what the calls say'),
      open: l10n.t('native balances: not all could be compared with the state'),
    }),
    ...balanceFacts(tokens, compared.tokens, {
      equal: (count) => l10n.t('token balances: equal to the state ({0} compared)', count),
      different: l10n.t('token balances: the state differs from what the events say'),
      open: l10n.t('token balances: not all could be compared with the state'),
    }),
  ];
  const kind = kindOf(trace.level, [native, tokens].includes('different'));
  return { kind, word: proofWord(kind), facts };
}

export function proofWord(kind: ProofKind): string {
  switch (kind) {
    case 'matches':
      return l10n.t('Matches chain');
    case 'receipt':
      return l10n.t('Receipt only');
    case 'differs':
      return l10n.t('Differs');
  }
}

function kindOf(level: TraceVerification['level'], isDifferent: boolean): ProofKind {
  if (level === 'none' || isDifferent) return 'differs';
  return level === 'state-proved' ? 'matches' : 'receipt';
}

function executionFact({
  level,
  proof,
  reason,
  firstDifference,
}: Pick<TraceVerification, 'level' | 'proof' | 'reason' | 'firstDifference'>): string {
  switch (level) {
    case 'state-proved':
      return l10n.t('the execution equals that of the chain');
    case 'receipt':
      return reason === undefined
        ? proof === 'running'
          ? l10n.t('the execution equals the receipt, the proof of the rest is running')
          : l10n.t('the execution equals the receipt, the rest is not proved')
        : l10n.t('the execution equals the receipt, the rest is not proved: {0}', reason);
    case 'none':
      return firstDifference === undefined
        ? l10n.t('the execution differs from the receipt')
        : l10n.t('the execution differs from the receipt: {0}', firstDifference);
  }
}

interface BalanceTexts {
  readonly equal: (count: number) => string;
  readonly different: string;
  readonly open: string;
}

function balanceFacts(
  word: BalanceComparison['native'],
  count: number,
  { equal, different, open }: BalanceTexts,
): string[] {
  switch (word) {
    case 'verified':
      return count === 0 ? [] : [equal(count)];
    case 'different':
      return [different];
    case 'unchecked':
      return [open];
    case undefined:
      return [];
  }
}
