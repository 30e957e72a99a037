import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { pick, type PickItem } from '../ui/quick-input';
import type { ServiceState } from '../model/service';
import { statusView } from './status';
import { copyText } from '../ui/clipboard';
import type { CommandContext } from '../model/command-context';
import type { CommandId, Commands } from '../model/commands';
import { withProgress } from '../ui/progress';

export function serviceCommands({
  service,
  tree,
  log,
}: CommandContext): Pick<
  Commands,
  | 'forklens.startService'
  | 'forklens.restartService'
  | 'forklens.stopService'
  | 'forklens.showServiceActions'
  | 'forklens.copyServiceUrl'
  | 'forklens.openSettings'
  | 'forklens.showLog'
  | 'forklens.refresh'
> {
  const stopWhenCancelled = (signal: AbortSignal): void => {
    signal.addEventListener('abort', () => {
      service.stop().catch(() => undefined); // it has attached to another window's service
    });
  };

  return {
    'forklens.startService': async () => {
      await withProgress(l10n.t('Starting the Forklens service…'), (signal) => {
        stopWhenCancelled(signal);
        return service.start();
      });
    },

    'forklens.restartService': async () => {
      await withProgress(l10n.t('Restarting the Forklens service…'), (signal) => {
        stopWhenCancelled(signal);
        return service.restart();
      });
    },

    'forklens.stopService': async () => {
      await service.stop();
    },

    'forklens.showServiceActions': async () => {
      const { value } = await pick({
        title: l10n.t('Forklens Service'),
        placeholder: statusView(service.state).tooltip,
        items: Promise.resolve(actionsOf(service.state)),
      });
      await vscode.commands.executeCommand(value);
    },

    'forklens.copyServiceUrl': async () => {
      await copyText((await service.connect()).url, l10n.t('the URL of the service'));
    },

    'forklens.openSettings': async () => {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'forklens.');
    },

    'forklens.showLog': () => {
      log.show(true);
      return Promise.resolve();
    },

    'forklens.refresh': (node) => {
      tree.refresh(node);
      return Promise.resolve();
    },
  };
}

function actionsOf(state: ServiceState): PickItem<CommandId>[] {
  const up = state.kind === 'running' || state.kind === 'starting';
  return [
    ...(up
      ? [
          action('copy', l10n.t('Copy service URL'), 'forklens.copyServiceUrl'),
          action('debug-restart', l10n.t('Restart service'), 'forklens.restartService'),
          action('debug-stop', l10n.t('Stop service'), 'forklens.stopService'),
        ]
      : [action('play', l10n.t('Start service'), 'forklens.startService')]),
    action('output', l10n.t('Show log'), 'forklens.showLog'),
    action('gear', l10n.t('Open settings'), 'forklens.openSettings'),
  ];
}

function action(icon: string, label: string, value: CommandId): PickItem<CommandId> {
  return { label, iconPath: new vscode.ThemeIcon(icon), value };
}
