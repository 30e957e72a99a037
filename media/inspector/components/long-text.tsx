import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { grouped, inert } from '../../../server/presentation/text';
import { CopyButton } from './copy-button';

const FOLDED = 320;
/** Longer text can only be copied: a browser should not lay out megabytes of text. */
const MAX_EXPANDED = 20_000;

interface LongTextProps {
  text: string;
  /** Label of the copy button: `Copy signature`. */
  copyLabel: string;
  /** A plain decimal, grouped on screen. */
  number?: boolean;
}

function showText(hidden: number): string {
  return hidden === 1
    ? l10n.t('Show 1 more character')
    : l10n.t('Show {0} more characters', grouped(String(hidden)));
}

/** A full value, folded if it is long. */
export function LongText({ text, copyLabel, number = false }: LongTextProps): VNode {
  const [open, setOpen] = useState(false);
  const limit = open ? MAX_EXPANDED : FOLDED;
  const shown = number ? grouped(text) : inert(text.slice(0, limit));
  const hidden = number ? 0 : Math.max(0, text.length - limit);
  return (
    <span class="long-text">
      <bdi>
        {shown}
        {hidden > 0 && '…'}
        {text === '' && <span class="quiet">{l10n.t('empty')}</span>}
      </bdi>
      {text.length > FOLDED && !number && (
        <button
          type="button"
          class="link"
          onClick={() => {
            setOpen(!open);
          }}
        >
          {open ? l10n.t('Show less') : showText(hidden)}
        </button>
      )}
      {open && hidden > 0 && (
        <span class="quiet">
          {l10n.t('{0} characters more: copy them.', grouped(String(hidden)))}
        </span>
      )}
      <CopyButton text={text} label={copyLabel} />
    </span>
  );
}
