import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';

/** The extension's settings, with defaults filled in and paths absolute. */
export interface Settings {
  serviceMode: 'bundled' | 'remote';
  /** As written; only of use with `remote`. */
  serviceUrl: string;
  dataDirectory: string;
  configFile: string | undefined;
  sandboxEnabled: boolean;
}

/** Settings that name the service or how it runs: a change replaces the running one. */
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

/** Folder that the service runs in: where the workspace's artifacts are, once the user trusts it. */
export function serviceDirectory(): string {
  const [folder] = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  return folder?.uri.scheme === 'file' ? folder.uri.fsPath : homedir();
}

/** `~` is the home directory; a relative path starts at the folder that the service runs in. */
function absolute(file: string): string {
  return path.resolve(serviceDirectory(), file.replace(/^~(?=$|[\\/])/, homedir()));
}
