import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { buildOutput, isProjectFile } from '../../client/build-output';
import { UsageError } from '../errors/usage-error';

/** An artifact of Foundry or Hardhat, and the build output that it is part of. */
export interface FoundArtifact {
  readonly file: string;
  /** Undefined for a file alone. */
  readonly folder?: string;
}

/** `Vault`, or `src/Vault.sol:Vault`. */
const CONTRACT = /^(?:([^:]+\.(?:sol|vy)):)?([A-Za-z_$][\w$]*)$/;
const MOST_NAMED = 5;

/**
 * Finds what `--code` means: a file, or a contract of the build output of the project that the folder is in.
 * @throws UsageError for a contract that is not built, or built from several sources
 */
export async function findArtifact(given: string, from = process.cwd()): Promise<FoundArtifact> {
  const [, source, contract] = CONTRACT.exec(given) ?? [];
  if (contract === undefined || (await exists(path.resolve(from, given)))) {
    const file = path.resolve(from, given);
    const folder = await folderOf(file);
    return { file, ...(folder !== undefined && { folder }) };
  }
  const folder = await projectOutput(from);
  if (folder === undefined) throw refused(given, 'no project of Foundry or Hardhat is here');
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  const found = files.filter(
    (file) => path.basename(file) === `${contract}.json` && isOf(path.dirname(file), source),
  );
  const [only] = found;
  if (only === undefined) throw refused(given, `${folder} has none: build the project first`);
  if (found.length > 1) {
    const named = found.slice(0, MOST_NAMED).join(', ');
    throw refused(given, `several have this name (${named}): name the source before it`);
  }
  return { file: path.join(folder, only), folder };
}

/** Foundry writes `Vault.sol/Vault.json`, Hardhat `contracts/Vault.sol/Vault.json`. */
function isOf(folder: string, source: string | undefined): boolean {
  if (source === undefined) return !folder.split(path.sep).includes('build-info');
  const own = `/${folder.split(path.sep).join('/')}`;
  const wanted = `/${source.split(path.sep).join('/')}`;
  return wanted.endsWith(own) || own.endsWith(wanted);
}

async function projectOutput(from: string): Promise<string | undefined> {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const names = await readdir(folder).catch(() => []);
    const project = names.find(isProjectFile);
    if (project !== undefined) {
      const file = path.join(folder, project);
      return buildOutput(file, await readFile(file, 'utf8').catch(() => ''));
    }
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** The build output around an artifact: both tools write it below a folder with the name of the source. */
async function folderOf(file: string): Promise<string | undefined> {
  const source = path.dirname(file);
  if (!/\.(sol|vy)$/.test(source)) return undefined;
  for (let folder = path.dirname(source); ; folder = path.dirname(folder)) {
    if (await exists(path.join(folder, 'build-info'))) return folder;
    if (path.dirname(folder) === folder) return path.dirname(source);
  }
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

const refused = (given: string, why: string): UsageError =>
  new UsageError(
    `--code is ${JSON.stringify(given)}; accepted: the file of an artifact, or a contract of the project's build output: ${why}`,
  );
