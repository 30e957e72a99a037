import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { shortHex, shownText } from '../../../server/presentation/text';
import { addressSegment } from '../../../server/presentation/values';
import { useInspector } from '../ui-state/inspector-context';
import { CopyButton } from './copy-button';
import { addressMark } from './highlight';
import { Segments } from './segments';

const LABEL_LIMIT = 40;

/** An account: its name, if any, the short address, and a button that copies the full address. `whole` shows it in full. */
export function Address({ address, whole = false }: { address: string; whole?: boolean }): VNode {
  const { state } = useInspector();
  const name = state.names.value(address);
  const source = state.flow.value?.nameSources?.[address];
  return (
    <span class="party" {...addressMark(address)}>
      {name !== undefined && (
        <bdi
          class="party-name"
          title={source ? `${address}\n${l10n.t('Named by {0}', source)}` : address}
        >
          {shownText(name, LABEL_LIMIT)}
        </bdi>
      )}
      <bdi class={name === undefined ? 'hex' : 'hex quiet'} title={address}>
        {whole ? address : shortHex(address)}
      </bdi>
      <CopyButton text={address} label={l10n.t('Copy address')} />
    </span>
  );
}

/** An address inside running text: name or short form, with the full address in the tooltip. */
export function AddressName({ address }: { address: string }): VNode {
  const { state } = useInspector();
  return <Segments segments={[addressSegment(address, state.names.value)]} />;
}
