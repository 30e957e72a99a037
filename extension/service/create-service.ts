import * as vscode from 'vscode';
import type { Log } from '../editor/log';
import { readSettings, serviceDirectory } from '../editor/settings';
import { BundledService, type BundledServiceOptions } from './bundled-service';
import { RemoteService } from './remote-service';
import type { Service } from '../model/service';

/** Creates the service of the settings. @param prepare called before the first use of the bundled service */
export function createService(
  extensionUri: vscode.Uri,
  log: Log,
  prepare: NonNullable<BundledServiceOptions['prepare']>,
): Service {
  const settings = readSettings();
  if (settings.serviceMode === 'remote') return new RemoteService(settings.serviceUrl, log);
  return new BundledService({
    execPath: process.execPath,
    serverPath: vscode.Uri.joinPath(extensionUri, 'dist', 'server.js').fsPath,
    dataDirectory: settings.dataDirectory,
    configFile: settings.configFile,
    sandbox: settings.sandboxEnabled,
    cwd: serviceDirectory(),
    log,
    prepare,
  });
}
