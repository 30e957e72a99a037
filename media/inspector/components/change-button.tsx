import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useInspector } from '../ui-state/inspector-context';
import { IconButton } from './icon-button';

interface ChangeButtonProps {
  /** In Solidity, over the state; undefined: the value has no expression. */
  expression: string | undefined;
  /** Whose variables need no name in it. */
  contract?: string | undefined;
}

/** Asks the host when a value changed. */
export function ChangeButton({ expression, contract }: ChangeButtonProps): VNode | null {
  const { state, post } = useInspector();
  if (expression === undefined || state.hostContext.value.canAskPast !== true) return null;
  return (
    <IconButton
      icon="history"
      label={l10n.t('When did this change…')}
      onClick={() => {
        post({ type: 'whenChanged', expression, ...(contract !== undefined && { contract }) });
      }}
    />
  );
}
