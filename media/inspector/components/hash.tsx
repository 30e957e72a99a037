import type { VNode } from 'preact';
import { shortHex } from '../../../server/presentation/text';
import { CopyButton } from './copy-button';

interface HashProps {
  hex: string;
  /** Label of the copy button: `Copy hash`. */
  copyLabel: string;
  /** Shows the hash in full. */
  whole?: boolean;
}

/** A hash or another long hex value: shortened on screen, full in the tooltip and on the clipboard. */
export function Hash({ hex, copyLabel, whole = false }: HashProps): VNode {
  return (
    <span class="party">
      <bdi class="hex" title={hex}>
        {whole ? hex : shortHex(hex)}
      </bdi>
      <CopyButton text={hex} label={copyLabel} />
    </span>
  );
}
