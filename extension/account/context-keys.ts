import * as vscode from 'vscode';
import type { Service } from '../model/service';
import type { Session } from './session';

/** Sets a context key that menus and welcome views of the manifest use. */
function setContext(key: 'forklens.service' | 'forklens.session', value: string): void {
  void vscode.commands.executeCommand('setContext', key, value);
}

/** Marks a command as completed for the walkthrough, whose steps wait for `forklens.done.<command>`. */
export function noteDone(command: string): void {
  void vscode.commands.executeCommand(
    'setContext',
    command.replace(/^forklens\./, 'forklens.done.'),
    true,
  );
}

/** Keeps the context keys in sync with the state of the service and of the session. */
export function followContextKeys(service: Service, session: Session): vscode.Disposable {
  const update = (): void => {
    setContext('forklens.service', service.state.kind);
    setContext('forklens.session', session.state.kind);
  };
  update();
  return vscode.Disposable.from(service.onDidChangeState(update), session.onDidChange(update));
}
