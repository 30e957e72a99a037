import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { reportOf, type ErrorAction, type ErrorReport } from '../errors';
import type { Log } from '../log';
import type { CommandId, Commands } from './commands';

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

/** After these the command is run again: what it lacked is there now. */
const RESUMING = new Set<ErrorAction>(['retry', 'signIn', 'startService', 'reconnect']);

/**
 * Registers all commands; whatever one throws goes through the one funnel.
 * @param onDone told of every command that did what it should
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

/** Resolves to whether the command did what it should. */
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
    // Not awaited: the message may stay for long, the command is over.
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
  if (done && RESUMING.has(chosen)) await again();
}
