import { join } from 'node:path';
import type { ArtifactFolders } from '../abi/artifact-folders';
import type { Artifact } from '../abi/artifact';
import { Artifacts } from '../abi/artifacts';
import { builtInSignatures } from '../abi/built-in/signatures';
import { CodeShapes } from '../abi/code-shapes';
import { Etherscan } from '../abi/etherscan';
import { FourByte } from '../abi/four-byte';
import { PackageSignatures } from '../abi/package-signatures';
import { AbiRegistry } from '../abi/registry';
import { Sourcify } from '../abi/sourcify';
import type { GivenInterfaces, Log } from '../abi/sources';
import { VerifiedContracts, type VerifiedLookup } from '../abi/verified-contracts';
import type { Network } from '../analysis/ports';
import type { Config } from '../api/config';
import { LookupFiles } from '../store/cache/lookup-files';

export interface AbiServicesOptions {
  config: Config;
  /** Build output of the user's projects. */
  artifactFolders: ArtifactFolders;
  /** Contracts of the built-in chain, if the service runs it. */
  compiled: () => readonly Artifact[];
  /** The built-in chain: its contracts are in no public database. */
  sandbox: { chain: { slug: string } } | undefined;
  given: GivenInterfaces;
  cacheFolder: string;
  log: Log;
}

/** Chain ids of development nodes: public databases contain none of their contracts. */
const DEVELOPMENT_CHAINS = new Set([1_337, 31_337]);

/** The sources, most trustworthy first: the user's own artifacts, verified sources, well-known signatures, signature databases. */
export function createAbiRegistry(options: AbiServicesOptions): AbiRegistry {
  const { config, artifactFolders, compiled, given, cacheFolder, log } = options;
  const { sourcify, etherscan, signatures } = config.abi;
  const workspace = new Artifacts(artifactFolders, { own: 'artifact', others: 'workspace' });
  let known: readonly Artifact[] | undefined;
  const builtIn = new Artifacts(
    { artifacts: () => Promise.resolve((known ??= compiled())) },
    { own: 'built-in', others: 'built-in' },
  );
  const lookups: VerifiedLookup[] = [
    ...(sourcify.enabled ? [new Sourcify({ url: sourcify.url, log })] : []),
    ...(etherscan.apiKey === undefined
      ? []
      : [new Etherscan({ apiKey: etherscan.apiKey, url: etherscan.url, log })]),
  ];
  const isPrivate = ({ chain, chainId }: Network): boolean =>
    DEVELOPMENT_CHAINS.has(chainId) || chain === options.sandbox?.chain.slug;
  const verified = lookups.map(
    (lookup) =>
      new VerifiedContracts({ lookup, store: new LookupFiles(join(cacheFolder, lookup.name)) }),
  );
  const database = new FourByte(new LookupFiles(join(cacheFolder, '4byte')), {
    url: signatures.url,
    log,
  });
  return new AbiRegistry({
    contracts: [workspace, builtIn, ...verified],
    signatures: [
      workspace,
      builtIn,
      builtInSignatures,
      new PackageSignatures(),
      ...(signatures.enabled ? [database] : []),
    ],
    shapes: new CodeShapes(),
    isPrivate,
    given,
    findCreation: async (initCode) =>
      (await workspace.findCreation(initCode)) ?? builtIn.findCreation(initCode),
  });
}
