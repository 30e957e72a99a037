import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Address } from '../../api/primitives';
import { cleanLabel } from './clean-text';
import { readBroadcast, readHardhatDeploy, readIgnition, type NotedContract } from './deployment';
import { JsonFiles } from './json-files';
import type { Log } from './sources';

/** A contract that a project of the user deployed. */
export interface Deployment extends NotedContract {
  readonly chainId: number;
  /** Path of the project. */
  readonly project: string;
}

/** Where a tool records deployments. */
interface DeploymentFormat {
  /** Patterns of the folder names, from the project's folder downwards. */
  readonly folders: readonly RegExp[];
  readonly files: RegExp;
  /** @param folder path of the file's folder */
  readonly chainId: (folder: string) => number | Promise<number>;
  readonly read: (json: unknown, name: string) => readonly NotedContract[];
}

const DEPLOYMENT_FORMATS: readonly DeploymentFormat[] = [
  {
    folders: [/^broadcast$/, /./, /^[1-9]\d*$/],
    files: /-latest\.json$/,
    chainId: (folder) => Number(basename(folder)),
    read: readBroadcast,
  },
  {
    folders: [/^deployments$/, /./],
    files: /^[^.].*\.json$/,
    chainId: async (folder) =>
      Number(await readFile(join(folder, '.chainId'), 'utf8').catch(() => NaN)),
    read: readHardhatDeploy,
  },
  {
    folders: [/^ignition$/, /^deployments$/, /^chain-[1-9]\d*$/],
    files: /^deployed_addresses\.json$/,
    chainId: (folder) => Number(basename(folder).slice('chain-'.length)),
    read: readIgnition,
  },
];

/** Deployments of projects, as recorded by `forge script`, hardhat-deploy and Hardhat Ignition. */
export class Deployments {
  readonly #places: readonly JsonFiles<Deployment>[];

  /** @param outputs folders of build output, each in the folder of its project */
  constructor(outputs: () => readonly string[], options: { log: Log; now: () => number }) {
    this.#places = DEPLOYMENT_FORMATS.map(
      (format) =>
        new JsonFiles({
          what: 'deployment',
          list: () => listFiles(new Set(outputs().map((path) => dirname(path))), format),
          read: (json, path) => readDeployments(json, path, format),
          ...options,
        }),
    );
  }

  /** Makes the next request rescan. */
  expire(): void {
    for (const files of this.#places) files.expire();
  }

  /** Deployments on a chain by address. If records disagree about an address, the first wins. */
  async on(chainId: number): Promise<ReadonlyMap<Address, Deployment>> {
    const found = new Map<Address, Deployment>();
    for (const files of this.#places) {
      for (const deployment of await files.current()) {
        const { address } = deployment;
        if (deployment.chainId === chainId && !found.has(address)) found.set(address, deployment);
      }
    }
    return found;
  }
}

async function readDeployments(
  json: unknown,
  path: string,
  { folders, chainId, read }: DeploymentFormat,
): Promise<Deployment[]> {
  const folder = dirname(path);
  const noted = read(json, basename(path, '.json'));
  if (noted.length === 0) return [];
  const origin = {
    chainId: await chainId(folder),
    project: join(folder, ...folders.map(() => '..')),
  };
  return noted.flatMap((contract) => {
    const name = cleanLabel(contract.name);
    return name === '' ? [] : [{ ...contract, ...origin, name }];
  });
}

/** Paths of a tool's files in the given projects, sorted by name. */
async function listFiles(
  projects: Iterable<string>,
  { folders, files }: DeploymentFormat,
): Promise<string[]> {
  let paths = [...projects];
  for (const name of folders) {
    paths = await below(paths, (entry) => entry.isDirectory() && name.test(entry.name));
  }
  return below(paths, (entry) => entry.isFile() && files.test(entry.name));
}

async function below(
  folders: readonly string[],
  isWanted: (entry: Dirent) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const names = entries.filter(isWanted).map(({ name }) => name);
    found.push(...names.sort().map((name) => join(folder, name)));
  }
  return found;
}
