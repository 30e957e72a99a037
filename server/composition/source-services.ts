import { homedir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import { ArtifactFolders } from '../contracts/abi/artifact-folders';
import type { Artifact } from '../contracts/abi/artifact';
import { Artifacts } from '../contracts/abi/artifacts';
import { Etherscan } from '../contracts/abi/etherscan';
import type { LookupStore } from '../contracts/abi/lookup-cache';
import type { Log } from '../contracts/abi/sources';
import type { Network } from '../analysis/ports';
import type { Config } from '../api/config';
import { launchCommand } from '../chains/engine/launch-command';
import { withMemoryLimit } from '../chains/engine/memory-limit';
import { ArtifactSources } from '../contracts/sources/artifact-sources';
import type { SourceFinder } from '../contracts/sources/code-sources';
import { Compilers } from '../contracts/sources/compilers/compilers';
import { UnoptimizedBuilds } from '../contracts/sources/unoptimized/unoptimized-builds';
import { InstalledCompilers, ownFolder } from '../contracts/sources/compilers/installed-compilers';
import { SandboxCompilations } from '../contracts/sources/sandbox-compilation';
import { BlockscoutSources } from '../contracts/sources/verified/blockscout-sources';
import { EtherscanSources } from '../contracts/sources/verified/etherscan-sources';
import { SourcifySources } from '../contracts/sources/verified/sourcify-sources';
import type { SourceService } from '../contracts/sources/verified/verified-source';
import { VerifiedSources } from '../contracts/sources/verified/verified-sources';
import { workspaceCompilation } from '../contracts/sources/workspace-compilation';
import { SourceFiles } from '../store/cache/source-files';

export interface SourceServicesOptions {
  config: Config;
  /** The built-in chain, if the service runs it: its contracts are in no public database. */
  sandbox: { chain: { slug: string } } | undefined;
  /** Its contracts; empty without it. */
  compiled: () => Promise<readonly Artifact[]>;
  /** Folder for sources of verified contracts. */
  sourceFolder: string;
  solcFolders: SolcFolders;
  log: Log;
}

/** Where compilers of Solidity are looked for. */
export interface SolcFolders {
  /** By the operator. */
  given: readonly string[];
  dataDir: string;
  /** Whether clients may know the folder: they use the service's own machine. */
  isShown: boolean;
}

/** Who knows contracts that were compiled here, and sources of others. */
export interface SourceServices {
  /** Build output of the user's projects. */
  artifactFolders: ArtifactFolders;
  workspace: Artifacts;
  builtIn: Artifacts;
  etherscan: Etherscan | undefined;
  isPrivate: (network: Network) => boolean;
  /** Sources of code, the most trustworthy first. */
  finders: readonly SourceFinder[];
  unoptimized: UnoptimizedBuilds;
  compilers: Compilers;
}

/** Chain ids of development nodes: public databases contain none of their contracts. */
const DEVELOPMENT_CHAINS = new Set([1_337, 31_337]);

/** The sources, most trustworthy first: the user's own artifacts, the built-in chain, verified contracts with maps, and those without. */
export function createSources(options: SourceServicesOptions): SourceServices {
  const { config, sandbox, log } = options;
  const { sourcify, etherscan: keyed, blockscout, artifacts } = config.abi;
  const artifactFolders = new ArtifactFolders(artifacts, { log });
  const workspace = new Artifacts(artifactFolders, { own: 'artifact', others: 'workspace' });
  const builtIn = new Artifacts(
    { artifacts: options.compiled },
    { own: 'built-in', others: 'built-in' },
  );
  const etherscan =
    keyed.apiKey === undefined
      ? undefined
      : new Etherscan({ apiKey: keyed.apiKey, url: keyed.url, log });
  const isPrivate = ({ chain, chainId }: Network): boolean =>
    DEVELOPMENT_CHAINS.has(chainId) || chain === sandbox?.chain.slug;
  const services: SourceService[] = [
    ...(sourcify.enabled ? [new SourcifySources({ url: sourcify.url, log })] : []),
    ...(etherscan ? [new EtherscanSources(etherscan)] : []),
    ...(Object.keys(blockscout.urls).length > 0
      ? [new BlockscoutSources(blockscout.urls, { log })]
      : []),
  ];
  const store = new SourceFiles(options.sourceFolder);
  const compilers = createCompilers(options.solcFolders, store);
  const sandboxCompilations = new SandboxCompilations();
  const finders = [
    new ArtifactSources(workspace, workspaceCompilation),
    new ArtifactSources(builtIn, ({ name }) => sandboxCompilations.of(name)),
    ...services.map((service) => new VerifiedSources({ service, store, compilers })),
  ];
  return {
    artifactFolders,
    workspace,
    builtIn,
    etherscan,
    isPrivate,
    finders,
    unoptimized: new UnoptimizedBuilds(compilers),
    compilers,
  };
}

function createCompilers({ given, dataDir, isShown }: SolcFolders, store: LookupStore): Compilers {
  const own = ownFolder(dataDir);
  const [first = own] = given;
  const home = relative(homedir(), first);
  const isInHome = home !== '' && !home.startsWith('..') && !isAbsolute(home);
  const path = isInHome ? join('~', home) : first;
  const shown = /\s/.test(path) ? JSON.stringify(first) : path;
  return new Compilers({
    installed: new InstalledCompilers([...given, own]),
    store,
    folder: isShown ? shown : '<folder of --solc>',
    launch: async (file, args, memoryBytes) =>
      withMemoryLimit(await launchCommand(file, args), memoryBytes),
  });
}
