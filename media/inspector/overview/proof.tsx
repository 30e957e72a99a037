import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { Icon } from '../components/icon';
import { shownText } from '../../../server/presentation/text';
import { verdictOf, VERDICT_ICONS } from '../model/summary';
import { useInspector } from '../ui-state/inspector-context';
import type { Flow } from '../protocol/protocol';

const EXPLANATION_LIMIT = 600;

const PROOFS = {
  verified: { icon: 'verified', kind: 'proved' },
  different: { icon: 'warning', kind: 'different' },
  unchecked: { icon: 'circle-slash', kind: 'simulated' },
} as const;
type ProofWord = keyof typeof PROOFS;

const native = (): Record<ProofWord, string> => ({
  verified: l10n.t('Native balance changes equal the difference of the state, less fees.'),
  different: l10n.t('Native balance changes differ from those of the state: see Balance changes.'),
  unchecked: l10n.t('Native balance changes could not be compared with the state.'),
});
const tokens = (): Record<ProofWord, string> => ({
  verified: l10n.t('Token changes equal what balanceOf answers before and after.'),
  different: l10n.t('Token changes differ from what balanceOf answers: see Balance changes.'),
  unchecked: l10n.t('Token changes could not be compared with what balanceOf answers.'),
});

function Line({ word, sentence }: { word: ProofWord; sentence: string }): VNode {
  const { icon, kind } = PROOFS[word];
  return (
    <li class={`verification ${kind}`}>
      <Icon name={icon} />
      <span>{sentence}</span>
    </li>
  );
}

/** The mark of what an execution assumes or lacks. */
const WARNED = 'different';

/** Explains to what degree the analysis is proved. */
export function Proof({ flow }: { flow: Flow }): VNode {
  const { state } = useInspector();
  const { explanation, warnings, kind } = verdictOf(flow);
  const balances = state.parts.balanceChange.value;
  const proof =
    flow.simulation ?? (balances.state === 'ready' ? balances.value.verification : undefined);
  // A proof over nothing proves nothing.
  const isCompared = (what: 'native' | 'tokens'): boolean =>
    proof?.[what] !== 'verified' || proof.compared?.[what] !== 0;
  return (
    <ul class="list proof">
      <li class={`verification ${kind}`}>
        <Icon name={VERDICT_ICONS[kind]} />
        <span>{shownText(explanation, EXPLANATION_LIMIT)}</span>
      </li>
      {warnings.map((text) => (
        <Line key={text} word={WARNED} sentence={shownText(text, EXPLANATION_LIMIT)} />
      ))}
      {proof?.native && isCompared('native') && (
        <Line word={proof.native} sentence={native()[proof.native]} />
      )}
      {proof?.tokens && isCompared('tokens') && (
        <Line word={proof.tokens} sentence={tokens()[proof.tokens]} />
      )}
    </ul>
  );
}
