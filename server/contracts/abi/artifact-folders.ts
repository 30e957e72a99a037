import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Address } from '../../api/primitives';
import { LIMITS } from '../../api/limits';
import { readArtifact, type Artifact } from './artifact';
import { Deployments, type Deployment } from './deployments';
import { JsonFiles } from './json-files';
import type { Log } from './sources';

export interface ArtifactFoldersOptions {
  log?: Log;
  now?: () => number;
}

const MAX_DEPTH = 8;
/** Compiler input and output, and folders without artifacts. */
const SKIPPED_FOLDERS = new Set(['build-info', 'node_modules', '.git', 'cache']);
const SILENT: Log = { warn: () => undefined };

/** The current artifacts below the configured folders, and the deployments of their projects. */
export class ArtifactFolders {
  readonly #files: JsonFiles<Artifact>;
  readonly #deployed: Deployments;
  #folders: readonly string[];

  /** @param folders paths; missing folders count as empty */
  constructor(
    folders: readonly string[],
    { log = SILENT, now = Date.now }: ArtifactFoldersOptions = {},
  ) {
    this.#folders = folders;
    this.#files = new JsonFiles({
      what: 'artifact',
      list: () => this.#list(),
      read: (json, path) => {
        const artifact = readArtifact(json, basename(path, '.json'));
        return artifact ? [{ ...artifact, file: path }] : [];
      },
      log,
      now,
    });
    this.#deployed = new Deployments(() => this.#folders, { log, now });
  }

  /** Adds folders, and rescans the known ones on the next request. @returns all folders */
  add(folders: readonly string[]): readonly string[] {
    this.#folders = [...new Set([...this.#folders, ...folders])];
    this.#files.expire();
    this.#deployed.expire();
    return this.#folders;
  }

  /** Returns the same array as before if nothing changed. */
  artifacts(): Promise<readonly Artifact[]> {
    return this.#files.current();
  }

  /** Deployments of the projects on a chain. */
  deployments(chainId: number): Promise<ReadonlyMap<Address, Deployment>> {
    return this.#deployed.on(chainId);
  }

  async #list(): Promise<string[]> {
    const paths: string[] = [];
    for (const folder of this.#folders) await this.#listBelow(folder, 0, paths);
    return paths;
  }

  async #listBelow(folder: string, depth: number, paths: string[]): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (depth < MAX_DEPTH && !SKIPPED_FOLDERS.has(entry.name)) {
          await this.#listBelow(path, depth + 1, paths);
        }
      } else if (isArtifactName(entry.name)) {
        if (paths.push(path) > LIMITS.artifactFiles) return;
      }
    }
  }
}

const isArtifactName = (name: string): boolean =>
  name.endsWith('.json') && !name.endsWith('.dbg.json') && !name.endsWith('.metadata.json');
