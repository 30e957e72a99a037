import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { IconButton } from '../components/icon-button';
import { TREE_KEYS } from './tree-keys';

/** The keys of the call tree. Escape closes it. */
export function KeysDialog({ onClose }: { onClose: () => void }): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} class="keys" aria-labelledby="keys-title" onClose={onClose}>
      <div class="keys-head">
        <h2 id="keys-title">Keys of the call tree</h2>
        <IconButton
          icon="close"
          label="Close (Escape)"
          onClick={() => {
            dialog.current?.close();
          }}
        />
      </div>
      <dl>
        {TREE_KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
