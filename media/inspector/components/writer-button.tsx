import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useInspector } from '../ui-state/inspector-context';
import type { WrittenPart } from '../protocol/protocol';
import type { Column } from './data-grid';
import { IconButton } from './icon-button';

/** A column of `WriterButton`s. Narrow tables need the space for values; there, Enter on a row does the same. */
export const writerColumn = (): Column => ({
  id: 'writer',
  title: l10n.t('Writer'),
  width: '56px',
  wideOnly: true,
});

/** Whether the host can go to what wrote a part of the state: it has a debugger. */
export function useHasWriters(): boolean {
  const { state } = useInspector();
  return state.hostContext.value.actions.includes('debugTransaction');
}

/** A button of a row that goes to what wrote it. */
export function WriterButton({ part }: { part: WrittenPart }): VNode {
  const { post } = useInspector();
  return (
    <IconButton
      icon="debug-reverse-continue"
      label={l10n.t('Go to Writer: the step, line and call that wrote this')}
      onClick={() => {
        post({ type: 'goToWriter', written: part });
      }}
    />
  );
}
