import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useInspector } from '../state/inspector-context';
import { IconButton } from './icon-button';

const SHOW_DONE_MS = 1200;

interface CopyButtonProps {
  /** A function if the text is expensive to build. */
  text: string | (() => string);
  /** Names what is copied: `Copy address`. */
  label: string;
  icon?: string;
}

/** Copies through the host, and shows a confirmation. */
export function CopyButton({ text, label, icon = 'copy' }: CopyButtonProps): VNode {
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
      label={done ? l10n.t('Copied') : label}
      onClick={() => {
        post({ type: 'copy', text: typeof text === 'string' ? text : text() });
        setDone(true);
      }}
    />
  );
}
