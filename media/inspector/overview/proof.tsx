import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { FoldOut } from '../components/fold-out';
import { Icon } from '../components/icon';
import { NATIVE_ASSET } from '../../../server/api/native-asset';
import type { BalanceComparison } from '../../../server/api/verification';
import { shownText } from '../../../server/presentation/text';
import { verdictOf, VERDICT_ICONS } from '../model/verdict';
import { useInspector } from '../ui-state/inspector-context';
import type { Flow, Parts } from '../protocol/protocol';

const EXPLANATION_LIMIT = 600;
const ID = 'overview-proof';

const PROOFS = {
  verified: { icon: 'verified', kind: 'proved' },
  different: { icon: 'warning', kind: 'different' },
  unchecked: { icon: 'circle-slash', kind: 'simulated' },
  nothing: { icon: 'circle-slash', kind: 'simulated' },
} as const;
type ProofWord = keyof typeof PROOFS;

const native = (): Record<ProofWord, string> => ({
  verified: l10n.t('Native balance changes equal the difference of the state, less fees.'),
  different: l10n.t('Native balance changes differ from those of the state: see Balance changes.'),
  unchecked: l10n.t('Native balance changes could not be compared with the state.'),
  nothing: l10n.t('No native balance changed but by fees: there was nothing to compare.'),
});
const tokens = (): Record<ProofWord, string> => ({
  verified: l10n.t('Token changes equal what balanceOf answers before and after.'),
  different: l10n.t('Token changes differ from what balanceOf answers: see Balance changes.'),
  unchecked: l10n.t('Token changes could not be compared with what balanceOf answers.'),
  nothing: l10n.t('No token balance changed: there was nothing to compare.'),
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

type Kind = 'native' | 'tokens';

/** What the comparison of a kind of assets shows. One over nothing proves nothing. */
function wordOf(
  kind: Kind,
  proof: BalanceComparison | undefined,
  balances: Parts['balanceChange'] | undefined,
): ProofWord | undefined {
  const word = proof?.[kind];
  if (word !== 'verified') return word;
  const count = proof?.compared?.[kind] ?? changesOf(kind, balances);
  return count === 0 ? 'nothing' : word;
}

function changesOf(kind: Kind, balances: Parts['balanceChange'] | undefined): number | undefined {
  return balances?.balanceChange
    .flatMap(({ assets }) => assets)
    .filter(({ address }) => (address === NATIVE_ASSET) === (kind === 'native')).length;
}

/** Explains to what degree the analysis is proved. */
export function Proof({ flow }: { flow: Flow }): VNode {
  const { state } = useInspector();
  const part = state.parts.balanceChange.value;
  const balances = part.state === 'ready' ? part.value : undefined;
  const { word, explanation, warnings, kind } = verdictOf(flow, balances?.verification);
  const proof = flow.simulation ?? balances?.verification;
  const nativeWord = wordOf('native', proof, balances);
  const tokenWord = wordOf('tokens', proof, balances);
  const isWanted = state.isProofWanted.value;
  useLayoutEffect(() => {
    if (!isWanted) return;
    state.isProofWanted.value = false;
    const section = document.getElementById(ID);
    section?.scrollIntoView({ block: 'nearest' });
    section?.querySelector('summary')?.focus();
  }, [state, isWanted]);
  return (
    <FoldOut
      id={ID}
      title={
        <h2>
          {l10n.t('Proof')} <span class="quiet">{word}</span>
        </h2>
      }
      isOpen={state.isProofOpen}
    >
      <ul class="list proof">
        <li class={`verification ${kind}`}>
          <Icon name={VERDICT_ICONS[kind]} />
          <span>{shownText(explanation, EXPLANATION_LIMIT)}</span>
        </li>
        {warnings.map((text) => (
          <Line key={text} word={WARNED} sentence={shownText(text, EXPLANATION_LIMIT)} />
        ))}
        {nativeWord && <Line word={nativeWord} sentence={native()[nativeWord]} />}
        {tokenWord && <Line word={tokenWord} sentence={tokens()[tokenWord]} />}
      </ul>
    </FoldOut>
  );
}
