import path from 'node:path';

/** Files that mark the folder of a Foundry or Hardhat project. */
export const PROJECT_FILES = '**/{foundry.toml,hardhat.config.{js,cjs,mjs,ts,cts,mts}}';
/** Whether a file with this name is one of `PROJECT_FILES`. */
export const isProjectFile = (name: string): boolean =>
  /^(foundry\.toml|hardhat\.config\.([cm]?[jt]s))$/.test(name);
/** Folders of dependencies: project files in them do not belong to the workspace. */
export const FOREIGN_FOLDERS = '**/{node_modules,lib,.git}/**';

/**
 * Folder that contains a project's build output.
 * @param file path of one of the project's `PROJECT_FILES`
 * @param text content of the file; ignored for Hardhat, whose config is a program
 */
export function buildOutput(file: string, text: string): string {
  const isFoundry = path.basename(file) === 'foundry.toml';
  return path.resolve(path.dirname(file), isFoundry ? foundryOut(text) : 'artifacts');
}

/** The setting `out` of the default profile, which is the first profile that contains it. */
function foundryOut(text: string): string {
  const [, , out] = /^[ \t]*out[ \t]*=[ \t]*(["'])(.+?)\1/m.exec(text) ?? [];
  return out ?? 'out';
}
