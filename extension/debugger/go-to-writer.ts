import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ApiError } from '../../server/api/errors';
import { DEBUG_TYPE, type PlaceInRecording, type VariableContext } from '../model/debugging';
import { pick, enterText } from '../ui/quick-input';
import type { ShownWriters } from './adapter/writers';

/** Asks for one of the writes and reads of a variable, and moves the debugger there. @throws UserCancelledError; ApiError */
export async function goToWriter(given: VariableContext | undefined): Promise<void> {
  const session = debugSession();
  if (session === undefined) return;
  const args = await wantedVariable(given);
  const found = (await asked(session, 'forklens/writers', args)) as ShownWriters;
  const { name, writers, omitted, unavailable, incomplete } = found;
  if (writers.length === 0) {
    const nothing = l10n.t('Nothing that was executed writes or reads {0}.', name);
    void vscode.window.showInformationMessage(unavailable ?? nothing);
    return;
  }
  const items = writers.map(({ step, label, isRead, isUndone }) => ({
    label: `$(${isRead ? 'eye' : 'edit'}) ${label}`,
    description: isUndone ? l10n.t('rolled back') : '',
    value: step,
  }));
  const more = [
    l10n.t('The debugger goes to the step that you choose.'),
    ...(omitted === 0 ? [] : [l10n.t('{0} later ones are not listed.', omitted)]),
    ...(incomplete === undefined ? [] : [incomplete]),
  ];
  const { value: step } = await pick({
    title: l10n.t('Writers and Readers of {0}', name),
    placeholder: more.join(' '),
    items: Promise.resolve(items),
  });
  await asked(session, 'forklens/goTo', { step });
}

/** Asks for the number of a step, and moves the debugger there. @throws UserCancelledError; ApiError */
export async function goToStep(): Promise<void> {
  const session = debugSession();
  if (session === undefined) return;
  const { step, steps } = (await asked(session, 'forklens/place')) as PlaceInRecording;
  const text = await enterText({
    title: l10n.t('Go to Step'),
    value: String(step),
    prompt: l10n.t('Number of a step, from 0 to {0}', steps - 1),
    validate: (entered) =>
      /^\d{1,9}$/.test(entered.trim()) && Number(entered) < steps
        ? undefined
        : l10n.t('A whole number from 0 to {0}', steps - 1),
  });
  await asked(session, 'forklens/goTo', { step: Number(text) });
}

function debugSession(): vscode.DebugSession | undefined {
  const session = vscode.debug.activeDebugSession;
  return session?.type === DEBUG_TYPE ? session : undefined;
}

/** The variable of the menu; without one, an expression that the user enters, with the frame that is selected. */
async function wantedVariable(
  given: VariableContext | undefined,
): Promise<{ name: string; variablesReference?: number; frameId?: number }> {
  const { container, variable } = given ?? {};
  const item = vscode.debug.activeStackItem;
  const frame = item instanceof vscode.DebugStackFrame ? { frameId: item.frameId } : {};
  if (variable?.name !== undefined && container?.variablesReference !== undefined) {
    const { variablesReference } = container;
    return { name: variable.name, variablesReference, ...frame };
  }
  const name = await enterText({
    title: l10n.t('Go to Writer'),
    value: variable?.evaluateName ?? '',
    prompt: l10n.t('A variable, such as {0}', 'balances[msg.sender]'),
    validate: (text) => (text.trim() === '' ? l10n.t('A variable') : undefined),
  });
  return { name, ...frame };
}

/** @throws ApiError with the adapter's message */
async function asked(
  session: vscode.DebugSession,
  command: string,
  args?: object,
): Promise<unknown> {
  try {
    return await session.customRequest(command, args);
  } catch (error) {
    throw new ApiError('invalidField', error instanceof Error ? error.message : String(error));
  }
}
