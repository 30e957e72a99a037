import { processesOf } from '../../support/vscode-host/processes';
import type { CodeWindow } from './code-window';

/** Process ids of the services that the windows of one host run. */
export function servicesOf({ workbench }: CodeWindow): number[] {
  return processesOf(workbench.server.folder)
    .filter(({ command }) => command.includes('dist/server.js'))
    .map(({ pid }) => pid);
}
