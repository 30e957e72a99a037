import type { VNode } from 'preact';
import { shortHex } from '../grammar/text';
import { CopyButton } from './copy-button';

interface HashProps {
  hex: string;
  /** What its button says: `Copy hash`. */
  copyLabel: string;
  /** Shows it in full. */
  whole?: boolean;
}

/** A hash or another long hex value: short, whole in the tooltip and on copy. */
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
