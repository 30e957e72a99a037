import { ArtifactFolders } from '../abi/artifact-folders';
import type { Artifact } from '../abi/artifact';
import { Artifacts } from '../abi/artifacts';
import { Etherscan } from '../abi/etherscan';
import type { Log } from '../abi/sources';
import type { Network } from '../analysis/ports';
import type { Config } from '../api/config';
import { ArtifactSources } from '../sources/artifact-sources';
import { CodeSources } from '../sources/code-sources';
import { SandboxCompilations } from '../sources/sandbox-compilation';
import { BlockscoutSources } from '../sources/verified/blockscout-sources';
import { EtherscanSources } from '../sources/verified/etherscan-sources';
import { SourcifySources } from '../sources/verified/sourcify-sources';
import type { SourceService } from '../sources/verified/verified-source';
import { VerifiedSources } from '../sources/verified/verified-sources';
import { workspaceCompilation } from '../sources/workspace-compilation';
import { SourceFiles } from '../store/cache/source-files';

export interface SourceServicesOptions {
  config: Config;
  /** The built-in chain, if the service runs it: its contracts are in no public database. */
  sandbox: { chain: { slug: string } } | undefined;
  /** Its contracts; empty without it. */
  compiled: () => Promise<readonly Artifact[]>;
  /** Folder for sources of verified contracts. */
  sourceFolder: string;
  log: Log;
}

/** Who knows contracts that were compiled here, and sources of others. */
export interface SourceServices {
  /** Build output of the user's projects. */
  artifactFolders: ArtifactFolders;
  workspace: Artifacts;
  builtIn: Artifacts;
  etherscan: Etherscan | undefined;
  isPrivate: (network: Network) => boolean;
  codeSources: CodeSources;
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
  const sandboxCompilations = new SandboxCompilations();
  const codeSources = new CodeSources({
    finders: [
      new ArtifactSources(workspace, workspaceCompilation),
      new ArtifactSources(builtIn, ({ name }) => sandboxCompilations.of(name)),
      ...services.map((service) => new VerifiedSources({ service, store })),
    ],
    isPrivate,
  });
  return { artifactFolders, workspace, builtIn, etherscan, isPrivate, codeSources };
}
