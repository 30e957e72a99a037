import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import PQueue from 'p-queue';
import { readArtifact, type Artifact } from './artifact';
import type { Log } from './sources';

export interface ArtifactFoldersOptions {
  log?: Log;
  now?: () => number;
}

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 5_000;
const OPEN_FILES = 16;
const MAX_DEPTH = 8;
/** Folders are looked at again after this time; files that did not change are not read again. */
const RESCAN_MS = 2_000;
/** Compiler input and output, and what is no artifact at all. */
const SKIPPED_FOLDERS = new Set(['build-info', 'node_modules', '.git', 'cache']);
const SILENT: Log = { warn: () => undefined };

interface ReadFile {
  readonly modified: number;
  readonly size: number;
  readonly artifact: Artifact | undefined;
}

/** The artifacts below some folders, as they are now. */
export class ArtifactFolders {
  private readonly files = new Map<string, ReadFile>();
  private readonly log: Log;
  private readonly now: () => number;
  private current: readonly Artifact[] = [];
  private scannedAt = -Infinity;
  private scanning: Promise<readonly Artifact[]> | undefined;

  private folders: readonly string[];

  /** @param folders paths; those that do not exist are empty */
  constructor(folders: readonly string[], options: ArtifactFoldersOptions = {}) {
    this.folders = folders;
    this.log = options.log ?? SILENT;
    this.now = options.now ?? Date.now;
  }

  /** Looks into further folders from now on. @returns all */
  add(folders: readonly string[]): readonly string[] {
    const all = [...new Set([...this.folders, ...folders])];
    if (all.length > this.folders.length) this.scannedAt = -Infinity;
    this.folders = all;
    return all;
  }

  /** The same array as before where nothing changed. */
  async artifacts(): Promise<readonly Artifact[]> {
    if (this.now() - this.scannedAt < RESCAN_MS) return this.current;
    this.scanning ??= this.scan().finally(() => {
      this.scanning = undefined;
    });
    return this.scanning;
  }

  private async scan(): Promise<readonly Artifact[]> {
    const paths: string[] = [];
    for (const folder of this.folders) await this.list(folder, 0, paths);
    let changed = this.forgetAllBut(new Set(paths));
    const queue = new PQueue({ concurrency: OPEN_FILES });
    const reads = await queue.addAll(paths.map((path) => () => this.read(path)));
    changed ||= reads.includes(true);
    if (changed) this.current = [...this.files.values()].flatMap(({ artifact }) => artifact ?? []);
    this.scannedAt = this.now();
    return this.current;
  }

  private async list(folder: string, depth: number, paths: string[]): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (depth < MAX_DEPTH && !SKIPPED_FOLDERS.has(entry.name)) {
          await this.list(path, depth + 1, paths);
        }
      } else if (isArtifactName(entry.name)) {
        if (paths.length === MAX_FILES) {
          this.log.warn({ folder, limit: MAX_FILES }, 'too many artifacts; the rest is left out');
        }
        if (paths.push(path) > MAX_FILES) return;
      }
    }
  }

  private forgetAllBut(paths: ReadonlySet<string>): boolean {
    const gone = [...this.files.keys()].filter((path) => !paths.has(path));
    for (const path of gone) this.files.delete(path);
    return gone.length > 0;
  }

  /** @returns whether the file changed since it was last read */
  private async read(path: string): Promise<boolean> {
    const facts = await stat(path).catch(() => undefined);
    if (!facts) return false;
    const { mtimeMs: modified, size } = facts;
    const known = this.files.get(path);
    if (known?.modified === modified && known.size === size) return false;
    const artifact = await this.parse(path, size);
    this.files.set(path, { modified, size, artifact });
    return true;
  }

  private async parse(path: string, size: number): Promise<Artifact | undefined> {
    if (size > MAX_FILE_BYTES) {
      this.skip(path, 'too large');
      return undefined;
    }
    try {
      const json: unknown = JSON.parse(await readFile(path, 'utf8'));
      const artifact = readArtifact(json, basename(path, '.json'));
      return artifact && { ...artifact, file: path };
    } catch {
      this.skip(path, 'not readable as JSON');
      return undefined;
    }
  }

  private skip(path: string, why: string): void {
    this.log.warn({ path, why }, 'artifact skipped');
  }
}

const isArtifactName = (name: string): boolean =>
  name.endsWith('.json') && !name.endsWith('.dbg.json') && !name.endsWith('.metadata.json');
