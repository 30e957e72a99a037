import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { shownText } from '../grammar/text';
import { useInspector } from '../inspector-context';
import { IconButton } from './icon-button';

const SHOW_DONE_MS = 1200;
const WHAT_LIMIT = 60;

interface CopyButtonProps {
  /** A function, where it is much work. */
  text: string | (() => string);
  /** Completes "Copy …"; may be a name that strangers gave. */
  what: string;
  icon?: string;
}

/** Copies through the host, and says so. */
export function CopyButton({ text, what, icon = 'copy' }: CopyButtonProps): VNode {
  const { post } = useInspector();
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => {
      setDone(false);
    }, SHOW_DONE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [done]);
  return (
    <IconButton
      icon={done ? 'check' : icon}
      label={done ? l10n.t('Copied') : `Copy ${shownText(what, WHAT_LIMIT)}`}
      onClick={() => {
        post({ type: 'copy', text: typeof text === 'string' ? text : text() });
        setDone(true);
      }}
    />
  );
}
