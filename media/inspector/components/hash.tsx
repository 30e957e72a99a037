import type { VNode } from 'preact';
import { shortHex } from '../grammar/text';
import { CopyButton } from './copy-button';

/** A hash or another long hex value: short, whole in the tooltip and on copy. `copyLabel` says so: `Copy hash`. */
export function Hash({ hex, copyLabel }: { hex: string; copyLabel: string }): VNode {
  return (
    <span class="party">
      <bdi class="hex" title={hex}>
        {shortHex(hex)}
      </bdi>
      <CopyButton text={hex} label={copyLabel} />
    </span>
  );
}
