import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Address } from '../api/primitives';
import { cleanLabel } from './clean-text';
import { readBroadcast, readHardhatDeploy, readIgnition, type NotedContract } from './deployment';
import { JsonFiles } from './json-files';
import type { Log } from './sources';

/** A contract that a project of the user's put on a chain. */
export interface Deployment extends NotedContract {
  readonly chainId: number;
  /** Path of the project. */
  readonly project: string;
}

/** Where a tool notes deployments. */
interface Place {
  /** Names of the folders from the project's own downwards. */
  readonly folders: readonly RegExp[];
  readonly files: RegExp;
  /** @param folder path of the file's */
  readonly chainId: (folder: string) => number | Promise<number>;
  readonly read: (json: unknown, name: string) => readonly NotedContract[];
}

const PLACES: readonly Place[] = [
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

/** What some projects deployed, as `forge script`, hardhat-deploy and Hardhat Ignition noted it. */
export class Deployments {
  private readonly places: readonly JsonFiles<Deployment>[];

  /** @param outputs folders of build output, each of which stands in the folder of its project */
  constructor(outputs: () => readonly string[], options: { log: Log; now: () => number }) {
    this.places = PLACES.map(
      (place) =>
        new JsonFiles({
          what: 'deployment',
          list: () => listFiles(new Set(outputs().map((path) => dirname(path))), place),
          read: (json, path) => readDeployments(json, path, place),
          ...options,
        }),
    );
  }

  /** Looks again when next asked. */
  expire(): void {
    for (const files of this.places) files.expire();
  }

  /** By address; what several notes name differently, by the first. */
  async on(chainId: number): Promise<ReadonlyMap<Address, Deployment>> {
    const found = new Map<Address, Deployment>();
    for (const files of this.places) {
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
  { folders, chainId, read }: Place,
): Promise<Deployment[]> {
  const folder = dirname(path);
  const noted = read(json, basename(path, '.json'));
  if (noted.length === 0) return [];
  const place = {
    chainId: await chainId(folder),
    project: join(folder, ...folders.map(() => '..')),
  };
  return noted.flatMap((contract) => {
    const name = cleanLabel(contract.name);
    return name === '' ? [] : [{ ...contract, ...place, name }];
  });
}

/** Paths of a place's files in some projects, by name. */
async function listFiles(projects: Iterable<string>, { folders, files }: Place): Promise<string[]> {
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
