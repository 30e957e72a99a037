import { stat } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import type { Artifact } from '../abi/artifact';
import type { Artifacts } from '../abi/artifacts';
import type { Network } from '../../analysis/ports';
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
  readonly #opened = new LRUCache<string, Promise<CompiledContract | undefined>>({
    max: KEPT_COMPILATIONS,
    ttl: KEPT_MS,
  });

  /** Whether an artifact has a compilation, by its identity. One that has none is read again after a time. */
  readonly #readable = new LRUCache<string, boolean>({ max: KEPT_COMPILATIONS });

  /** @param compilationOf compiler output of an artifact; undefined if it is not kept */
  constructor(
    private readonly artifacts: Pick<Artifacts, 'ofCode'>,
    private readonly compilationOf: (artifact: Artifact) => Promise<Compilation | undefined>,
  ) {}

  async find(network: Network, executed: ExecutedCode): Promise<KnownSource | undefined> {
    const matched = await this.artifacts.ofCode(network, executed);
    if (!matched) return undefined;
    const identity = await identityOf(matched.artifact);
    const opened = await this.#open(matched.artifact, identity);
    // A build that is newer than the known artifact may have other code.
    const contract = opened && isOf(matched.artifact, opened) ? opened : undefined;
    this.#readable.set(identity, contract !== undefined, contract ? {} : { ttl: KEPT_MS });
    return contract && { contract, match: matched.match, identity };
  }

  async identityOf(network: Network, executed: ExecutedCode): Promise<string> {
    const matched = await this.artifacts.ofCode(network, executed);
    if (!matched) return '';
    const identity = await identityOf(matched.artifact);
    const isReadable = this.#readable.get(identity);
    if (isReadable !== undefined) return isReadable ? identity : '';
    return (await this.find(network, executed))?.identity ?? '';
  }

  #open(artifact: Artifact, identity: string): Promise<CompiledContract | undefined> {
    const kept = this.#opened.get(identity);
    if (kept) return kept;
    const opening = this.#read(artifact);
    this.#opened.set(identity, opening);
    return opening;
  }

  async #read(artifact: Artifact): Promise<CompiledContract | undefined> {
    // The project may be compiled at this moment.
    const compilation = await this.compilationOf(artifact).catch(() => undefined);
    if (!compilation) return undefined;
    const { storageLayout = artifact.layout } = compilation;
    return CompiledContract.open({ ...compilation, storageLayout });
  }
}

/** Another one after each build that wrote the artifact, or the file of Hardhat that leads from it to the build. */
async function identityOf({ file, name }: Artifact): Promise<string> {
  if (file === undefined) return name;
  const written = [file, file.replace(/\.json$/, '.dbg.json')].map(async (path) => {
    const found = await stat(path).catch(() => undefined);
    return found?.mtimeMs ?? 0;
  });
  return [file, ...(await Promise.all(written))].join(' ');
}

/** Whether a compilation has the code of an artifact, its metadata aside. */
function isOf({ deployed }: Artifact, { compilation }: CompiledContract): boolean {
  const { object = '' } = compilation.deployed ?? {};
  return !deployed || object === '' || deployed.matches(`0x${object}`);
}
