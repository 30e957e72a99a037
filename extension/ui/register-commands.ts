import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { reportOf, type ErrorAction, type ErrorReport } from '../model/errors';
import type { Log } from '../editor/log';
import type { CommandId, Commands } from '../model/commands';

const ACTION_TITLES: Record<ErrorAction, string> = {
  retry: l10n.t('Retry'),
  signIn: l10n.t('Sign In'),
  startService: l10n.t('Start Service'),
  reconnect: l10n.t('Reconnect'),
  showLog: l10n.t('Show Log'),
  openSettings: l10n.t('Open Settings'),
};

const ACTION_COMMANDS: Record<Exclude<ErrorAction, 'retry'>, CommandId> = {
  signIn: 'forklens.signIn',
  startService: 'forklens.startService',
  reconnect: 'forklens.startService',
  showLog: 'forklens.showLog',
  openSettings: 'forklens.openSettings',
};

/** After one of these actions the command runs again. */
const RESUMING_ACTIONS = new Set<ErrorAction>(['retry', 'signIn', 'startService', 'reconnect']);

/**
 * Registers all commands. Every error that a command throws is reported here.
 * @param onDone called with the id of each command that succeeded
 */
export function registerCommands(
  commands: Commands,
  log: Log,
  onDone: (id: string) => void,
): vscode.Disposable {
  const registrations = Object.entries(commands).map(([id, run]) =>
    vscode.commands.registerCommand(id, (...args: unknown[]) =>
      runReported(
        id,
        async () => {
          await (run as (...args: unknown[]) => Promise<void>)(...args);
          onDone(id);
        },
        log,
      ),
    ),
  );
  return vscode.Disposable.from(...registrations);
}

/** Resolves to whether the command succeeded. */
async function runReported(id: string, run: () => Promise<void>, log: Log): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    const report = reportOf(error);
    if (report === undefined) {
      log.debug(`${id}: cancelled`);
      return false;
    }
    log.error(`${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    // Not awaited: the message may stay open long after the command has ended.
    void offer(report, () => runReported(id, run, log));
    return false;
  }
}

async function offer(
  { message, severity, actions }: ErrorReport,
  again: () => Promise<boolean>,
): Promise<void> {
  const items = actions.map((action) => ({ title: ACTION_TITLES[action], action }));
  const { showErrorMessage, showWarningMessage } = vscode.window;
  const show = severity === 'error' ? showErrorMessage : showWarningMessage;
  const chosen = (await show<(typeof items)[number]>(message, ...items))?.action;
  if (chosen === undefined) return;
  const done =
    chosen === 'retry' || (await vscode.commands.executeCommand(ACTION_COMMANDS[chosen])) === true;
  if (done && RESUMING_ACTIONS.has(chosen)) await again();
}
