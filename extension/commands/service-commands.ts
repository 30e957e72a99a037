import * as vscode from 'vscode';
import { pick, type PickItem } from '../quick-input/quick-input';
import type { ServiceState } from '../server-process/service';
import { statusView } from '../server-process/status';
import { copyText } from './clipboard';
import type { CommandContext } from './command-context';
import type { CommandId, Commands } from './commands';
import { withProgress } from './progress';

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
      service.stop().catch(() => undefined); // attached meanwhile: not ours to stop
    });
  };

  return {
    'forklens.startService': async () => {
      await withProgress('Starting the Forklens service…', (signal) => {
        stopWhenCancelled(signal);
        return service.start();
      });
    },

    'forklens.restartService': async () => {
      await withProgress('Restarting the Forklens service…', (signal) => {
        stopWhenCancelled(signal);
        return service.restart();
      });
    },

    'forklens.stopService': async () => {
      await service.stop();
    },

    'forklens.showServiceActions': async () => {
      const { value } = await pick({
        title: 'Forklens Service',
        placeholder: statusView(service.state).tooltip,
        items: Promise.resolve(actionsOf(service.state)),
      });
      await vscode.commands.executeCommand(value);
    },

    'forklens.copyServiceUrl': async () => {
      await copyText((await service.connect()).url, 'the URL of the service');
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
          action('copy', 'Copy service URL', 'forklens.copyServiceUrl'),
          action('debug-restart', 'Restart service', 'forklens.restartService'),
          action('debug-stop', 'Stop service', 'forklens.stopService'),
        ]
      : [action('play', 'Start service', 'forklens.startService')]),
    action('output', 'Show log', 'forklens.showLog'),
    action('gear', 'Open settings', 'forklens.openSettings'),
  ];
}

function action(icon: string, label: string, value: CommandId): PickItem<CommandId> {
  return { label, iconPath: new vscode.ThemeIcon(icon), value };
}
