import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';

/** The extension's settings, with defaults and absolute paths. */
export interface Settings {
  serviceMode: 'bundled' | 'remote';
  /** As the user wrote it; used only in `remote` mode. */
  serviceUrl: string;
  dataDirectory: string;
  configFile: string | undefined;
  sandboxEnabled: boolean;
}

/** Settings that select or configure the service: a change replaces the running one. */
export const SERVICE_SETTINGS = ['forklens.service', 'forklens.sandbox'] as const;

export function readSettings(): Settings {
  const settings = vscode.workspace.getConfiguration('forklens');
  const configFile = settings.get('service.configFile', '').trim();
  return {
    serviceMode: settings.get('service.mode') === 'remote' ? 'remote' : 'bundled',
    serviceUrl: settings.get('service.url', ''),
    dataDirectory: absolute(settings.get('service.dataDirectory', '').trim() || '~/.forklens'),
    configFile: configFile === '' ? undefined : absolute(configFile),
    sandboxEnabled: settings.get('sandbox.enabled', true),
  };
}

/** Path of Foundry's `forge`; empty for the one on the `PATH`. */
export function readForgePath(): string {
  const settings = vscode.workspace.getConfiguration('forklens');
  return settings.get('forge.path', '').trim();
}

/** Id or name of the fork, or slug of the chain that tests run on; empty for none. */
export function readTestFork(): string {
  const settings = vscode.workspace.getConfiguration('forklens');
  return settings.get('tests.fork', '').trim();
}

/** Working directory of the service: the workspace folder, which contains the artifacts, if the user trusts it. */
export function serviceDirectory(): string {
  const [folder] = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  return folder?.uri.scheme === 'file' ? folder.uri.fsPath : homedir();
}

/** `~` is the home directory; a relative path is resolved against the service's working directory. */
function absolute(file: string): string {
  return path.resolve(serviceDirectory(), file.replace(/^~(?=$|[\\/])/, homedir()));
}
