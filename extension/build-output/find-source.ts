import * as vscode from 'vscode';

/** Folders of packages' sources, relative to a project's folder. */
const FOLDERS = ['.', 'node_modules', 'lib'] as const;

/** Finds a file by its path in a compilation: in a workspace folder, in its packages, otherwise anywhere if the match is unique. */
export async function findSource(file: string): Promise<vscode.Uri | undefined> {
  if (file.split(/[\\/]/).includes('..')) return undefined;
  // Hardhat 3 compiles the files of a project as `project/…`.
  const names = new Set([file, file.replace(/^project\//, '')]);
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    for (const name of names) {
      for (const folder of FOLDERS) {
        const candidate = vscode.Uri.joinPath(uri, folder, name);
        if (await exists(candidate)) return candidate;
      }
    }
  }
  const [only, ...others] = await vscode.workspace.findFiles(`**/${glob(file)}`, undefined, 2);
  return others.length === 0 ? only : undefined;
}

/** The workspace's file, if it has the compiled text. */
export async function ownSource(file: string, content: string): Promise<vscode.Uri | undefined> {
  const own = await findSource(file);
  return own !== undefined && (await textOf(own)) === content ? own : undefined;
}

/** @returns undefined if the file cannot be read */
export async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}

/** Brackets make special characters of a glob pattern literal. */
const glob = (file: string): string => file.replace(/[*?[\]{}]/g, '[$&]');

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => type === vscode.FileType.File,
    () => false,
  );
}
