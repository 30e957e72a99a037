import { join } from 'node:path';
import type { Artifacts } from '../contracts/abi/artifacts';
import { builtInSignatures } from '../contracts/abi/built-in/signatures';
import { CodeShapes } from '../contracts/abi/code-shapes';
import type { Etherscan } from '../contracts/abi/etherscan';
import { FourByte } from '../contracts/abi/four-byte';
import { PackageSignatures } from '../contracts/abi/package-signatures';
import { AbiRegistry } from '../contracts/abi/registry';
import { Sourcify } from '../contracts/abi/sourcify';
import type { GivenInterfaces, Log } from '../contracts/abi/sources';
import { VerifiedContracts, type VerifiedLookup } from '../contracts/abi/verified-contracts';
import type { Network } from '../analysis/ports';
import type { Config } from '../api/config';
import { LookupFiles } from '../store/cache/lookup-files';

export interface AbiServicesOptions {
  config: Config;
  /** Contracts of the user's projects. */
  workspace: Artifacts;
  /** Contracts of the built-in chain. */
  builtIn: Artifacts;
  etherscan: Etherscan | undefined;
  isPrivate: (network: Network) => boolean;
  given: GivenInterfaces;
  cacheFolder: string;
  log: Log;
}

/** The sources, most trustworthy first: the user's own artifacts, verified sources, well-known signatures, signature databases. */
export function createAbiRegistry(options: AbiServicesOptions): AbiRegistry {
  const { config, workspace, builtIn, etherscan, isPrivate, given, cacheFolder, log } = options;
  const { sourcify, signatures } = config.abi;
  const lookups: VerifiedLookup[] = [
    ...(sourcify.enabled ? [new Sourcify({ url: sourcify.url, log })] : []),
    ...(etherscan ? [etherscan] : []),
  ];
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
