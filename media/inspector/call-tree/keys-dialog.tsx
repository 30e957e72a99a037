import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { IconButton } from '../components/icon-button';
import { treeKeys } from './tree-keys';

/** Lists the keys of the call tree. Escape closes it. */
export function KeysDialog({ onClose }: { onClose: () => void }): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} class="keys" aria-labelledby="keys-title" onClose={onClose}>
      <div class="keys-head">
        <h2 id="keys-title">{l10n.t('Keys of the call tree')}</h2>
        <IconButton
          icon="close"
          label={l10n.t('Close (Escape)')}
          onClick={() => {
            dialog.current?.close();
          }}
        />
      </div>
      <dl>
        {treeKeys().map(([keys, what]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
