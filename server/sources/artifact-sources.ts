import { stat } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import type { Artifact } from '../abi/artifact';
import type { Artifacts } from '../abi/artifacts';
import type { Network } from '../analysis/ports';
import type { KnownSource, SourceFinder } from './code-sources';
import type { Compilation } from './compilation';
import { CompiledContract } from './compiled-contract';
import type { ExecutedCode } from './program-source';

/** Limit of artifacts whose maps and sources are cached. */
const KEPT_COMPILATIONS = 200;
/** Sources are read again after this time, in milliseconds. */
const KEPT_MS = 10_000;

/** Sources of contracts that were compiled on this machine. */
export class ArtifactSources implements SourceFinder {
  private readonly opened = new LRUCache<string, Promise<CompiledContract | undefined>>({
    max: KEPT_COMPILATIONS,
    ttl: KEPT_MS,
  });

  /** @param compilationOf compiler output of an artifact; undefined if it is not kept */
  constructor(
    private readonly artifacts: Pick<Artifacts, 'ofCode'>,
    private readonly compilationOf: (artifact: Artifact) => Promise<Compilation | undefined>,
  ) {}

  async find(network: Network, executed: ExecutedCode): Promise<KnownSource | undefined> {
    const matched = await this.artifacts.ofCode(network, executed);
    const contract = matched && (await this.open(matched.artifact));
    return contract && { contract, match: matched.match };
  }

  private open(artifact: Artifact): Promise<CompiledContract | undefined> {
    const key = artifact.file ?? artifact.name;
    const kept = this.opened.get(key);
    if (kept) return kept;
    const opening = this.read(artifact);
    this.opened.set(key, opening);
    return opening;
  }

  private async read(artifact: Artifact): Promise<CompiledContract | undefined> {
    // The project may be compiled at this moment.
    const compilation = await this.compilationOf(artifact).catch(() => undefined);
    if (!compilation) return undefined;
    const { storageLayout = artifact.layout, artifact: file } = compilation;
    const written = file === undefined ? undefined : await stat(file).catch(() => undefined);
    const writtenAt = written?.mtimeMs ?? 0;
    return CompiledContract.open({ ...compilation, storageLayout, writtenAt });
  }
}
