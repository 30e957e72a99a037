import path from 'node:path';

/** Files that a project of Foundry or Hardhat has in its folder. */
export const PROJECT_FILES = '**/{foundry.toml,hardhat.config.{js,cjs,mjs,ts,cts,mts}}';
/** Where such files belong to somebody else. */
export const FOREIGN_FOLDERS = '**/{node_modules,lib,.git}/**';

/**
 * Folder in which a project's build output is.
 * @param file path of one of its `PROJECT_FILES`
 * @param text what stands in it; of Hardhat's, which is a program, nothing is read
 */
export function buildOutput(file: string, text: string): string {
  const isFoundry = path.basename(file) === 'foundry.toml';
  return path.resolve(path.dirname(file), isFoundry ? foundryOut(text) : 'artifacts');
}

/** The setting `out` of the default profile, which is the first one that has it. */
function foundryOut(text: string): string {
  const [, , out] = /^[ \t]*out[ \t]*=[ \t]*(["'])(.+?)\1/m.exec(text) ?? [];
  return out ?? 'out';
}
