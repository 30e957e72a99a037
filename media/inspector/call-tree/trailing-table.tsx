import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { Trailing } from '../../../server/api/trailing';
import { Address } from '../components/address';
import { LongText } from '../components/long-text';

const KINDS: Record<Trailing['kind'], () => string> = {
  attribution: () => l10n.t('attribution (ERC-8021)'),
  sender: () => l10n.t('sender (ERC-2771)'),
  'clone-arguments': () => l10n.t('arguments of the clone'),
  text: () => l10n.t('text'),
  unknown: () => l10n.t('unknown'),
};

/** The bytes that follow the arguments of a call, with what they are. */
export function TrailingTable({ parts }: { parts: readonly Trailing[] }): VNode | null {
  if (parts.length === 0) return null;
  return (
    <table class="params">
      <caption>{l10n.t('After the arguments')}</caption>
      <tbody>
        {parts.map((part, index) => (
          <tr key={index}>
            <th scope="row">{KINDS[part.kind]()}</th>
            <td class="type">{part.isGuess && l10n.t('guess')}</td>
            <td>
              <Meaning part={part} />
              <LongText text={part.data} copyLabel={l10n.t('Copy bytes')} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Meaning({ part }: { part: Trailing }): VNode | null {
  const { sender, codes, text, registry } = part;
  if (sender !== undefined) return <Address address={sender} whole />;
  const words = text ?? codes?.join(', ');
  if (words === undefined) return null;
  return (
    <p>
      <LongText text={words} copyLabel={l10n.t('Copy text')} />
      {registry && (
        <span class="quiet">
          {' '}
          {l10n.t('registered on chain {0} at {1}', registry.chainId, registry.address)}
        </span>
      )}
    </p>
  );
}
