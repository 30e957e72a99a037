import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Service, ServiceState } from '../model/service';
import { statusView } from './status';

const BACKGROUND = {
  normal: undefined,
  warning: new vscode.ThemeColor('statusBarItem.warningBackground'),
  error: new vscode.ThemeColor('statusBarItem.errorBackground'),
};

/** Shows the state of the service. A click offers actions. */
export function createStatusBar(service: Service): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(
    'forklens.service',
    vscode.StatusBarAlignment.Left,
    0,
  );
  item.name = l10n.t('Forklens Service');
  item.command = 'forklens.showServiceActions';
  const render = (state: ServiceState): void => {
    const { text, tooltip, severity } = statusView(state);
    item.text = text;
    item.tooltip = tooltip;
    item.backgroundColor = BACKGROUND[severity];
    item.accessibilityInformation = { label: tooltip };
  };
  render(service.state);
  item.show();
  return vscode.Disposable.from(item, service.onDidChangeState(render));
}
